// SPDX-License-Identifier: Apache-2.0
// error: a struct for input must own its data: use std::string and std::vector, since std::string_view and std::span are for output only
#include <apus/app.hpp>
#include <apus/json.hpp>

struct note {
#ifdef OK
    std::string text;
#else
    std::string_view text;
#endif
};

void build(apus::app& app) {
    app.post("/", [](apus::json<note>) {});
}

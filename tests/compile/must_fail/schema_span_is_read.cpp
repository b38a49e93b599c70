// SPDX-License-Identifier: Apache-2.0
// error: a struct for input must own its data: use std::string and std::vector, since std::string_view and std::span are for output only
#include <apus/app.hpp>
#include <apus/json.hpp>

#include <span>

struct note {
#ifdef OK
    std::vector<int> numbers;
#else
    std::span<const int> numbers;
#endif
};

void build(apus::app& app) {
    app.post("/", [](apus::json<note>) {});
}

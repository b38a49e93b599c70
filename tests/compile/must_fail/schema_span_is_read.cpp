// SPDX-License-Identifier: Apache-2.0
// error: what is read owns its texts: use std::string and std::vector, a std::string_view and a std::span can only be printed
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

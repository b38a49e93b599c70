// SPDX-License-Identifier: Apache-2.0
// error: a header field or cookie must be a bool, number, text, time, enumeration, or an optional of one of these
#include <apus/app.hpp>
#include <apus/header.hpp>

#include <optional>
#include <vector>

void build(apus::app& app) {
#ifdef OK
    app.get("/", [](apus::header<"x-id", std::optional<int>>) {});
#else
    app.get("/", [](apus::header<"x-id", std::vector<int>>) {});
#endif
}

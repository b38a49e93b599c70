// SPDX-License-Identifier: Apache-2.0
// error: take cookies as cookie<"name", T>
#include <apus/app.hpp>
#include <apus/header.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/", [](apus::cookie<"theme">) {});
#else
    app.get("/", [](apus::header<"Cookie">) {});
#endif
}

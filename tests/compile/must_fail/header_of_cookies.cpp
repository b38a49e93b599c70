// SPDX-License-Identifier: Apache-2.0
// error: a header field of cookies is taken apart by cookie<"name", T>
#include <apus/app.hpp>
#include <apus/header.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/", [](apus::cookie<"theme">) {});
#else
    app.get("/", [](apus::header<"Cookie">) {});
#endif
}

// SPDX-License-Identifier: Apache-2.0
// error: the name of a cookie must be a token: letters, digits and marks such as '-', but no space, ';' and '='
#include <apus/app.hpp>
#include <apus/header.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/", [](apus::cookie<"theme">) {});
#else
    app.get("/", [](apus::cookie<"theme=dark">) {});
#endif
}

// SPDX-License-Identifier: Apache-2.0
// error: the name of a header field must be a token: letters, digits and marks such as '-', but no space and no colon
#include <apus/app.hpp>
#include <apus/header.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/", [](apus::header<"x-name">) {});
#else
    app.get("/", [](apus::header<"x name">) {});
#endif
}

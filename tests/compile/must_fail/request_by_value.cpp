// SPDX-License-Identifier: Apache-2.0
// error: a handler takes request&, body_text, and by value integers, double, bool and strings for its captures
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/", [](apus::request&) {});
#else
    app.get("/", [](apus::request) {});
#endif
}

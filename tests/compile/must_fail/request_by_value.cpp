// SPDX-License-Identifier: Apache-2.0
// error: a handler parameter must be request&, body_text, or for captures by value an integer, double, bool or string
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/", [](apus::request&) {});
#else
    app.get("/", [](apus::request) {});
#endif
}

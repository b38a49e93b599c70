// SPDX-License-Identifier: Apache-2.0
// error: a handler may take references only to request and to values set by middleware (apus::request_value): capture your own state in the lambda, and take the rest by value
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/", [](apus::request&) {});
#else
    app.get("/", [](const apus::request&) {});
#endif
}

// SPDX-License-Identifier: Apache-2.0
// error: a handler may take references only to request and to values set by middleware (apus::request_value): capture your own state in the lambda, and take the rest by value
#include <apus/app.hpp>

class database {};

void build(apus::app& app) {
#ifdef OK
    app.get("/", [db = 0] { return std::to_string(db); });
#else
    app.get("/", [](database&) {});
#endif
}

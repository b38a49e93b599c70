// SPDX-License-Identifier: Apache-2.0
// error: a handler takes references only to request and to what middleware sets (apus::request_value): state of yours is captured by the lambda, and the rest is taken by value
#include <apus/app.hpp>
#include <apus/json.hpp>

struct todo {
    int id;
};

void build(apus::app& app) {
#ifdef OK
    app.post("/", [](apus::json<todo>) {});
#else
    app.post("/", [](const apus::json<todo>&) {});
#endif
}

// SPDX-License-Identifier: Apache-2.0
// error: a handler takes the body as one thing: one json<T> or one form<T>, and body_text besides if it needs the bytes
#include <apus/app.hpp>
#include <apus/json.hpp>

struct todo {
    int id;
};

void build(apus::app& app) {
#ifdef OK
    app.post("/", [](apus::body_text, apus::json<todo>) {});
#else
    app.post("/", [](apus::json<todo>, apus::json<todo>) {});
#endif
}

// SPDX-License-Identifier: Apache-2.0
// error: a handler may take the body once: as json<T> or form<T>, optionally with body_text for the bytes
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

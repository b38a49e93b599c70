// SPDX-License-Identifier: Apache-2.0
// error: a struct that a client sends is taken as json<T>, query<T> or form<T>
#include <apus/app.hpp>
#include <apus/json.hpp>

struct todo {
    int id;
};

void build(apus::app& app) {
#ifdef OK
    app.post("/", [](apus::json<todo>) {});
#else
    app.post("/", [](todo) {});
#endif
}

// SPDX-License-Identifier: Apache-2.0
// error: take a struct of the request as json<T>, query<T> or form<T>
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

// SPDX-License-Identifier: Apache-2.0
// error: a handler that is a coroutine takes what a client sends by value, json<T> in place of const json<T>&: it runs on when what a reference names is gone
#include <apus/app.hpp>
#include <apus/json.hpp>

struct todo {
    int id;
};

void build(apus::app& app) {
#ifdef OK
    app.post("/", [](const apus::json<todo>& made) -> apus::json<todo> { return made; });
    app.post("/later", [](apus::json<todo>) -> apus::task<> { co_return; });
#else
    app.post("/", [](const apus::json<todo>&) -> apus::task<> { co_return; });
#endif
}

// SPDX-License-Identifier: Apache-2.0
// A to-do list in memory. All cores share it, so it is created outside make_app and has a lock.
#include <apus/json.hpp>
#include <apus/openapi.hpp>
#include <apus/rules.hpp>

#include <map>
#include <mutex>

struct todo {
    apus::text<1, 200> what;
    apus::integer<1, 5> priority{3};
};

apus::app make_app(std::mutex& lock, std::map<std::string, todo>& todos) {
    apus::app app;
    app.mount(apus::openapi_document({.title = "Todos", .version = "1.0"}));
    app.get("/todos", [&] {
        std::lock_guard hold(lock);
        return todos;
    });
    app.put("/todos/{name}", [&](std::string_view name, apus::json<todo> sent) {
        std::lock_guard hold(lock);
        return todos[std::string(name)] = *std::move(sent);
    });
    app.get("/todos/{name}", [&](std::string_view name) {
        std::lock_guard hold(lock);
        return todos.contains(std::string(name)) ? std::optional(todos.at(std::string(name))) : std::nullopt;
    });
    app.del("/todos/{name}", [&](std::string_view name) {
        std::lock_guard hold(lock);
        return todos.erase(std::string(name)) ? apus::result<void>() : apus::fail(404, "unknown todo");
    });
    return app;
}

int main(int argc, char** argv) {
    std::mutex lock;
    std::map<std::string, todo> todos;
    return apus::serve([&] { return make_app(lock, todos); }, argc, argv);
}

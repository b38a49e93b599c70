// SPDX-License-Identifier: Apache-2.0
// A to-do list in memory. All cores share it, so it is created outside make_app and has a lock.
#include <apus/json.hpp>
#include <apus/openapi.hpp>
#include <apus/rules.hpp>

#include <map>
#include <mutex>

namespace {

struct new_todo {
    apus::text<1, 200> title;
    apus::integer<1, 5> priority{3};
};

struct todo {
    std::uint64_t id;
    std::string title;
    std::int64_t priority;
};

todo make_todo(std::uint64_t id, const new_todo& sent) { return {id, *sent.title, *sent.priority}; }

struct todo_list {
    std::mutex lock;
    std::uint64_t last_id = 0;
    std::map<std::uint64_t, todo> by_id;
};

apus::app make_app(todo_list& todos) {
    apus::app app;
    app.mount(apus::openapi_document({.title = "Todos", .version = "1.0"}));
    app.get("/todos", [&] {
        std::vector<todo> all;
        std::lock_guard hold(todos.lock);
        all.reserve(todos.by_id.size());
        for (const auto& [id, one] : todos.by_id) all.push_back(one);
        return all;
    });
    app.post("/todos", [&](const apus::json<new_todo>& sent) {
        std::lock_guard hold(todos.lock);
        const std::uint64_t id = ++todos.last_id;
        return apus::created(todos.by_id[id] = make_todo(id, *sent)).at("/todos/{id}", id);
    });
    app.get("/todos/{id}", [&](std::uint64_t id) -> std::optional<todo> {
        std::lock_guard hold(todos.lock);
        const auto found = todos.by_id.find(id);
        return found == todos.by_id.end() ? std::nullopt : std::optional(found->second);
    });
    app.put("/todos/{id}", [&](std::uint64_t id, const apus::json<new_todo>& sent) -> std::optional<todo> {
        std::lock_guard hold(todos.lock);
        const auto found = todos.by_id.find(id);
        if (found == todos.by_id.end()) return std::nullopt;
        return found->second = make_todo(id, *sent);
    });
    app.del("/todos/{id}", [&](std::uint64_t id) -> apus::result<void> {
        std::lock_guard hold(todos.lock);
        if (!todos.by_id.erase(id)) return apus::fail(404, "unknown todo");
        return {};
    });
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    todo_list todos;
    return apus::serve([&] { return make_app(todos); }, argc, argv);
}

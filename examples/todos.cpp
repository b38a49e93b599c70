// SPDX-License-Identifier: Apache-2.0
// A to-do list in memory. All cores share it, so it is made outside of make_app and has a lock.
#include <apus/app.hpp>
#include <apus/json.hpp>
#include <apus/rules.hpp>

#include <map>
#include <mutex>

namespace {

struct new_todo {
    apus::text<1, 200> title;
    apus::integer<1, 5> priority{3};
    bool done = false;
};
struct todo {
    std::uint64_t id;
    new_todo what;
};
struct todo_list {
    std::mutex lock;
    std::map<std::uint64_t, todo> todos;
};

apus::app make_app(todo_list& list) {
    apus::app app;
    app.get("/todos", [&list] {
        std::lock_guard hold(list.lock);
        std::vector<todo> all;
        for (const auto& entry : list.todos) all.push_back(entry.second);
        return all;
    });
    app.post("/todos", [&list](apus::json<new_todo> what) {
        std::lock_guard hold(list.lock);
        const std::uint64_t id = list.todos.empty() ? 1 : list.todos.rbegin()->first + 1;
        return apus::created<todo>(list.todos[id] = {id, *std::move(what)});
    });
    app.get("/todos/{id}", [&list](std::uint64_t id) -> std::optional<todo> {
        std::lock_guard hold(list.lock);
        const auto found = list.todos.find(id);
        return found == list.todos.end() ? std::nullopt : std::optional(found->second);
    });
    app.del("/todos/{id}", [&list](std::uint64_t id) -> apus::result<void> {
        std::lock_guard hold(list.lock);
        if (list.todos.erase(id) == 0) return apus::fail(404, "there is no such todo");
        return {};
    });
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    todo_list list;
    return apus::serve([&list] { return make_app(list); }, argc, argv);
}

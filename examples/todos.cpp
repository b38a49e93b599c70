// SPDX-License-Identifier: Apache-2.0
// A to-do list in memory. All cores share it, so it is made outside of make_app and has a lock.
#include <apus/app.hpp>

#include <map>
#include <mutex>

namespace {

struct todo {
    std::string title;
    bool done = false;
};

// Safe from all cores: each call holds the lock, for no longer than it looks at the map.
class todo_list {
public:
    std::string add(std::string_view title) {
        std::lock_guard hold(lock_);
        const auto added = todos_.emplace(next_id_++, todo{std::string(title)}).first;
        return line(*added);
    }
    std::string all() const {
        std::lock_guard hold(lock_);
        std::string text;
        for (const auto& entry : todos_) text += line(entry);
        return text;
    }
    std::optional<std::string> find(std::uint64_t id) const {
        std::lock_guard hold(lock_);
        const auto found = todos_.find(id);
        if (found == todos_.end()) return std::nullopt;
        return line(*found);
    }
    std::optional<std::string> finish(std::uint64_t id) {
        std::lock_guard hold(lock_);
        const auto found = todos_.find(id);
        if (found == todos_.end()) return std::nullopt;
        found->second.done = true;
        return line(*found);
    }
    bool remove(std::uint64_t id) {
        std::lock_guard hold(lock_);
        return todos_.erase(id) != 0;
    }

private:
    static std::string line(const std::pair<const std::uint64_t, todo>& entry) {
        return std::to_string(entry.first) + (entry.second.done ? " [x] " : " [ ] ") + entry.second.title + "\n";
    }

    mutable std::mutex lock_;
    std::map<std::uint64_t, todo> todos_;
    std::uint64_t next_id_ = 1;
};

apus::result<apus::created<std::string>> add(todo_list& list, std::string_view title) {
    if (title.empty() || title.size() > 200) return apus::fail(422, "a title has 1 to 200 bytes");
    if (title.find_first_of("\r\n") != title.npos) return apus::fail(422, "a title is one line");
    return apus::created<std::string>{list.add(title)};
}

apus::app make_app(todo_list& list) {
    apus::app app;
    app.get("/todos", [&list] { return list.all(); });
    app.post("/todos", [&list](apus::body_text title) { return add(list, title); }, {.body = 1'000});
    app.get("/todos/{id}", [&list](std::uint64_t id) { return list.find(id); });
    app.put("/todos/{id}/done", [&list](std::uint64_t id) { return list.finish(id); });
    app.del("/todos/{id}", [&list](std::uint64_t id) -> apus::result<void> {
        if (!list.remove(id)) return apus::fail(404, "there is no such todo");
        return {};
    });
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    todo_list list;
    return apus::serve([&list] { return make_app(list); }, argc, argv);
}

// SPDX-License-Identifier: Apache-2.0
// Faulty code: each line with a finding ends with `// finding:` and a part of the finding's text.
#include "program.hpp"

// Arguments of tasks that are not awaited in the statement that creates them.

apus::task<> stored_reference_to_temporary(int id) {
    auto later = greet(text_of(id));  // finding: `greet` gets a reference to a temporary
    co_await wait();
    co_await std::move(later);
}

apus::task<> stored_view_of_temporary(int id) {
    auto later = print(text_of(id));  // finding: `print` gets a view of a temporary
    co_await std::move(later);
}

apus::task<> stored_with_literal_as_string() {
    auto later = greet("a literal makes a temporary string");  // finding: reference to a temporary
    co_await std::move(later);
}

apus::task<> stored_list() {
    auto later = sum(std::vector{1, 2, 3});  // finding: `sum` gets a view of a temporary
    (void)co_await std::move(later);
}

apus::task<> stored_in_vector() {
    std::vector<apus::task<>> tasks;
    for (int i = 0; i < 3; ++i) tasks.push_back(print(text_of(i)));  // finding: the task is stored, and runs later
    co_await apus::when_all(std::move(tasks));
}

apus::task<> stored_in_vector_beyond_loop() {
    std::vector<apus::task<>> tasks;
    for (int i = 0; i < 3; ++i) {
        const std::string text = text_of(i);
        tasks.push_back(print(text));  // finding: `text`, which can be destroyed before the task has ended
    }
    co_await apus::when_all(std::move(tasks));
}

apus::task<> stored_pair(int id) {
    auto both = apus::when_all(greet(text_of(id)), wait());  // finding: the task is stored, and runs later
    co_await std::move(both);
}

apus::task<> spawned_with_temporary(int id) {
    apus::task_scope scope;
    scope.spawn(greet(text_of(id)));  // finding: `spawn` runs the task later
    co_await scope.join();
}

apus::task<> spawned_with_inner_variable() {
    apus::task_scope scope;
    for (int i = 0; i < 3; ++i) {
        std::string text = text_of(i);
        scope.spawn(print(text));  // finding: `print` gets a view of `text`
    }
    co_await scope.join();
}

apus::task<> spawned_before_its_variable() {
    apus::task_scope scope;
    int total = 0;
    scope.spawn(add(total));  // finding: `add` gets a reference to `total`
    co_await wait();
}

apus::task<> returned_with_local(int id) {
    const std::string text = text_of(id);
    return greet(text);  // finding: the task is returned, and runs later
}

apus::task<> returned_with_parameter(std::string text) {
    return print(text);  // finding: `print` gets a view of `text`
}

apus::task<> returned_with_temporary(int id) {
    return print(text_of(id));  // finding: `print` gets a view of a temporary
}

void register_plain_handler(apus::app& app) {
    app.get("/{name}", [](std::string name) { return greet(name); });  // finding: reference to `name`
    app.post("/{name}", [&tasks = app.tasks()](std::string name) {
        tasks.spawn(print(name));  // finding: `print` gets a view of `name`
        return apus::no_content();
    });
}

// Objects and lambdas that are destroyed before their coroutine runs.

apus::task<> lambda_called_at_once(int id) {
    apus::task_scope scope;
    scope.spawn([id]() -> apus::task<> {  // finding: the captures of a lambda that is destroyed
        co_await wait();
        use(text_of(id));
    }());
    co_await scope.join();
}

apus::task<> lambda_returned(int id) {
    auto job = [id]() -> apus::task<> {
        co_await wait();
        use(text_of(id));
    };
    return job();  // finding: the captures of `job`
}

apus::task<> lambda_of_loop() {
    apus::task_scope scope;
    for (int i = 0; i < 3; ++i) {
        const auto job = [i]() -> apus::task<> {
            co_await wait();
            use(text_of(i));
        };
        scope.spawn(job());  // finding: the captures of `job`
    }
    co_await scope.join();
}

apus::task<> member_of_temporary() {
    auto later = printer{.name = "x"}.run();  // finding: the coroutine uses an object that is destroyed
    co_await std::move(later);
}

apus::task<> member_of_local() {
    printer local{.name = "x"};
    return local.run();  // finding: the coroutine uses `local`
}

apus::app handler_with_reference_to_local() {
    shop state;
    apus::app app;
    app.get("/", [&state]() -> apus::task<std::string> {  // finding: a reference to `state`
        co_await wait();
        co_return state.motto;
    });
    return app;
}

// Views of temporaries.

apus::task<> view_of_temporary(int id) {
    std::string_view text = text_of(id);  // finding: `text` is a view of a temporary
    co_await wait();
    use(text);
}

apus::task<> member_of_awaited(int id) {
    const std::string& name = (co_await load(id)).title();  // finding: after the co_await in line
    co_await wait();
    use(name);
}

apus::task<> view_of_awaited(int id) {
    const auto name = (co_await load(id)).initial();  // finding: `name` is a view of a temporary
    use(name);
}

apus::task<> pointer_into_temporary(int id) {
    const char* text = text_of(id).c_str();  // finding: `text` is a pointer to a temporary
    co_await wait();
    use(text);
}

apus::task<> value_of_temporary_optional() {
    const auto find = [] { return std::optional<std::string>("x"); };
    const std::string& text = *find();  // finding: `text` is a reference to a temporary
    co_await wait();
    use(text);
}

apus::task<> span_of_temporary() {
    const auto make = [] { return std::vector{1, 2}; };
    std::span<const int> numbers = make();  // finding: `numbers` is a view of a temporary
    co_await wait();
    (void)co_await sum(numbers);
}

// Views that a coroutine returns.

apus::task<std::string_view> returns_view_of_local(int id) {
    const std::string text = text_of(id);
    co_await wait();
    co_return text;  // finding: the task returns a view of `text`
}

apus::task<std::string_view> returns_view_of_parameter(std::string text) {
    co_await wait();
    co_return std::string_view(text).substr(1);  // finding: the task returns a view of `text`
}

apus::task<std::string_view> returns_view_of_temporary(int id) {
    co_await wait();
    co_return text_of(id);  // finding: the task returns a view of a temporary
}

apus::task<const user*> returns_pointer_to_local() {
    user local = co_await load(1);
    co_return &local;  // finding: the task returns a view of `local`
}

// Elements of containers that several requests share.

apus::task<int> iterator_of_shared(std::shared_ptr<shop> state, int id) {
    auto it = state->users.find(id);  // finding: `it` is a view of a part of `state.users`
    if (it == state->users.end()) co_await apus::fail(404, "no such user");
    co_await wait();
    co_return it->second.visits;
}

apus::task<int> element_of_global(int id) {
    user& found = all_users[id];  // finding: `found` is a reference to a part of `all_users`
    co_await wait();
    co_return ++found.visits;
}

apus::task<> written_after_await(shop& state, int id) {
    auto& found = state.users[id];  // finding: `found` is a reference to a part of `state.users`
    found = co_await load(id);
}

apus::task<> pointer_to_element(shop* state) {
    std::string* first = &state->items.front();  // finding: `first` is a pointer to a part of `state.items`
    co_await wait();
    *first += "!";
}

apus::task<> view_of_shared_string(std::shared_ptr<shop> state) {
    std::string_view motto = state->motto;  // finding: `motto` is a view of a part of `state.motto`
    co_await wait();
    use(motto);
}

apus::task<> iterator_of_loop(shop& state) {
    for (auto it = state.users.begin(); it != state.users.end(); ++it)  // finding: `it` is a view of a part
        co_await greet(it->second.name);
}

apus::task<> used_in_next_turn(shop& state) {
    const std::string* last = &state.items.back();  // finding: `last` is a pointer to a part of `state.items`
    for (int i = 0; i < 3; ++i) {
        use(*last);
        co_await wait();
    }
}

apus::task<> loop_through_shared(shop& state) {
    for (const std::string& item : state.items)  // finding: this loop iterates over `state.items`
        co_await keep(item);
}

apus::task<> element_of_loop(shop& state) {
    for (std::string& item : state.items) {  // finding: `item` is a reference to a part of `state.items`
        if (item.empty()) continue;
        co_await wait();
        item += "!";
        break;
    }
}

apus::task<> bindings_of_shared(std::shared_ptr<shop> state) {
    auto& [name, visits] = state->users[1];  // finding: `[name, visits]` is a reference to a part
    co_await wait();
    use(name), ++visits;
}

apus::task<> element_by_alias(shop& state, int id) {
    auto& users = state.users;
    const std::string& name = users.at(id).name;  // finding: `name` is a reference to a part of `users`
    co_await wait();
    use(name);
}

struct members {
    std::map<int, user> users;
    apus::task<> visit(int id) {
        user& found = users[id];  // finding: `found` is a reference to a part of `users`
        co_await wait();
        ++found.visits;
    }
};

void register_coroutine_handler(apus::app& app, shop& state, std::map<int, user>& users) {
    app.get("/users/{id}", [&state](int id) -> apus::task<std::string> {
        const std::string& name = state.users[id].title();  // finding: a part of `state.users`
        co_await wait();
        co_return name;
    });
    app.get("/visits/{id}", [&users](int id) -> apus::task<std::string> {
        auto found = users.find(id);  // finding: a part of `users`
        co_await wait();
        co_return std::to_string(found->second.visits);
    });
}

// SPDX-License-Identifier: Apache-2.0
// Code without findings.
#include "program.hpp"

// Tasks that are awaited in the statement that creates them: temporaries live until the end of the statement.

apus::task<> awaited_at_once(int id) {
    co_await greet(text_of(id));
    co_await print(text_of(id) + "!");
    co_await apus::when_all(greet(text_of(1)), print(text_of(2)));
    (void)co_await print("x").outcome();
}

apus::task<> stored_with_local(int id) {
    const std::string text = text_of(id);
    auto later = greet(text);
    co_await std::move(later);
}

apus::task<> stored_with_value(int id) {
    auto later = keep(text_of(id));
    co_await std::move(later);
}

apus::task<> stored_with_literal_view() {
    auto later = print("a literal lives for ever");
    co_await std::move(later);
}

apus::task<> spawned_with_outer_variable() {
    int total = 0;
    apus::task_scope scope;
    for (int i = 0; i < 3; ++i) scope.spawn(add(total));
    co_await scope.join();
}

apus::task<> spawned_and_joined() {
    apus::task_scope scope;
    int total = 0;
    scope.spawn(add(total));
    co_await scope.join();
}

apus::task<> vector_beside_its_variable() {
    std::vector<apus::task<>> tasks;
    std::string text = "x";
    tasks.push_back(print(text));
    co_await apus::when_all(std::move(tasks));
}

apus::task<> returned_with_reference(const std::string& text) { return greet(text); }
apus::task<> returned_with_move(std::string text) { return keep(std::move(text)); }

// Lambdas.

apus::task<> lambda_with_parameters() {
    apus::task_scope scope;
    for (int i = 0; i < 3; ++i)
        scope.spawn([](int number) -> apus::task<> {
            co_await wait();
            use(text_of(number));
        }(i));
    co_await scope.join();
}

apus::task<> lambda_awaited(int id) {
    co_await [id]() -> apus::task<> {
        co_await wait();
        use(text_of(id));
    }();
}

apus::task<> lambda_outlives_scope(int id) {
    const auto job = [id]() -> apus::task<> {
        co_await wait();
        use(text_of(id));
    };
    apus::task_scope scope;
    scope.spawn(job());
    scope.spawn(job());
    co_await scope.join();
}

// An app keeps its handlers, and the arguments of a handler live until the response.
apus::app handlers(std::shared_ptr<shop> state) {
    apus::app app;
    app.get("/motto", [state]() -> apus::task<std::string> {
        co_await wait();
        co_return state->motto;
    });
    app.get("/head", [](apus::request& req) -> apus::task<std::string> {
        const auto host = req.header("host");
        std::string_view text = host;
        co_await wait();
        co_return std::string(text);
    });
    app.get("/greet/{name}", [](std::string_view name) -> apus::task<std::string> {
        co_await wait();
        co_return std::string(name);
    });
    app.post("/users", [](const apus::json<user>& body) -> apus::task<std::string> {
        const std::string& name = body->name;
        for (char each : name) co_await print(std::string(1, each));
        co_return name;
    });
    app.background([] { return keep(text_of(1)); });
    return app;
}

// Temporaries whose lifetime a reference extends.

apus::task<> extended_temporary(int id) {
    const std::string& text = text_of(id);
    const user& loaded = co_await load(id);
    const std::string& name = (co_await load(id)).name;
    co_await wait();
    use(text), use(loaded.name), use(name);
}

apus::task<> view_of_local(int id) {
    const std::string text = text_of(id);
    std::string_view first = text;
    co_await wait();
    use(first.substr(1));
}

apus::task<> range_of_temporary(int id) {
    for (const char each : (co_await load(id)).name) co_await print(std::string(1, each));
    for (const char each : text_of(id)) co_await print(std::string(1, each));
}

apus::task<std::string_view> returns_view_of_argument(std::string_view text) {
    co_await wait();
    co_return text.substr(1);
}

apus::task<std::string> returns_value(std::string text) {
    co_await wait();
    co_return text;
}

// Elements of containers that several requests share, used only before the co_await or looked up after it.

apus::task<int> copied(std::shared_ptr<shop> state, int id) {
    user found = state->users[id];
    co_await wait();
    co_return found.visits;
}

apus::task<int> looked_up_again(std::shared_ptr<shop> state, int id) {
    auto it = state->users.find(id);
    if (it == state->users.end()) co_await apus::fail(404, "no such user");
    const int before = it->second.visits;
    co_await wait();
    it = state->users.find(id);
    co_return before + it->second.visits;
}

apus::task<int> only_before(shop& state, int id) {
    auto& found = state.users[id];
    const int visits = ++found.visits;
    co_await wait();
    co_return visits;
}

apus::task<int> other_branch(shop& state, int id) {
    auto it = state.users.find(id);
    if (it == state.users.end()) {
        co_await wait();
        co_return 0;
    }
    co_return it->second.visits;
}

apus::task<int> alternatives(shop& state, int id) {
    auto it = state.users.find(id);
    int visits = 0;
    if (it == state.users.end()) co_await wait();
    else visits = it->second.visits;
    co_return visits;
}

apus::task<> leaves_loop(shop& state) {
    for (const std::string& item : state.items) {
        if (item.empty()) continue;
        const std::string copy = item;
        co_await print(copy);
        co_return;
    }
}

apus::task<> loop_through_copy(shop& state) {
    const std::vector<std::string> copy = state.items;
    for (const std::string& item : copy) co_await greet(item);
}

apus::task<> loop_through_constants() {
    for (const std::string& word : all_words) co_await greet(word);
}

apus::task<> loop_through_argument(const std::vector<std::string>& words) {
    for (const std::string& word : words) co_await greet(word);
}

apus::task<> loop_without_await(shop& state) {
    std::string all;
    for (const std::string& item : state.items) all += item;
    co_await print(all);
}

apus::task<> object_itself(std::shared_ptr<shop> state) {
    auto& users = state->users;
    co_await wait();
    use(users[1].name);
}

apus::task<> captured_by_coroutine() {
    std::vector<std::string> words;
    const auto fill = [&words]() -> apus::task<> {
        auto& first = words.emplace_back("x");
        co_await wait();
        first += "y";
    };
    co_await fill();
}

apus::task<> pointer_kept_alive(std::map<int, std::shared_ptr<user>>& users) {
    const std::shared_ptr<user> found = users[1];
    const std::string& name = found->name;
    co_await wait();
    use(name);
}

apus::task<> assigned_in_loop(shop& state) {
    for (int i = 0; i < 3; ++i) {
        auto it = state.users.find(i);
        if (it != state.users.end()) use(it->second.name);
        co_await wait();
    }
}

apus::task<> deleted_temporary_is_not_used(int id) {
    [[maybe_unused]] std::size_t size = text_of(id).size();
    co_await wait();
}

// SPDX-License-Identifier: Apache-2.0
#include "support/direct.hpp"

#include <apus/json.hpp>

#include <doctest/doctest.h>

#include <coroutine>
#include <string>

using apus::app;
using apus::path;
using apus::support::direct;

namespace {

struct named_item {
    std::string name;
};

// An awaitable that the test completes.
struct gate {
    std::coroutine_handle<> waiter;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> h) noexcept { waiter = h; }
    void await_resume() const noexcept {}
};

}  // namespace

TEST_CASE("captures are bound by name, in any order") {
    app a;
    a.get("/users/{user}/posts/{post}",
          [](path<"post", int> post, path<"user", std::string> user) { return *user + " " + std::to_string(post); });
    a.get("/files/{name...}", [](const path<"name", std::string_view>& name) { return std::string(*name); });
    a.get("/later/{a}/{b}", [](const path<"b", int>& b, const path<"a", int>& a) -> apus::task<std::string> {
        co_return std::to_string(*a - *b);
    });
    direct to(std::move(a));
    CHECK(to.ask("GET /users/ann/posts/7") == "200 ann 7");
    CHECK(to.problem("GET /users/ann/posts/x") == R"(400 `post` must be an integer, not \"x\")");
    CHECK(to.ask("GET /files/a/b") == "200 a/b");
    CHECK(to.ask("GET /later/9/2") == "200 7");
}

TEST_CASE("names of a run-time route are checked when it is added") {
    app a;
    const auto add = [&a](std::string_view route) {
        a.get(apus::runtime_route{route}, [](path<"x", int> x, path<"y", int> y) { return std::to_string(x - y); });
    };
    CHECK_THROWS_WITH(add("/{x}/{z}"),
                      "route \"/{x}/{z}\": the handler takes path<\"y\", T>, but the route has no capture of "
                      "that name");
    CHECK_THROWS_WITH(
        add("/{x}"),
        "route \"/{x}\": the handler's number of path parameters differs from the route's number of captures");
    add("/{y}/{x}");
    direct to(std::move(a));
    CHECK(to.ask("GET /2/9") == "200 7");
}

TEST_CASE("a coroutine may take request data by reference: it lives until the task ends") {
    gate open;
    app a;
    a.post("/later/{n}", [&open](const apus::json<named_item>& in, const std::string& n) -> apus::task<std::string> {
        co_await open;
        co_return in->name + n;
    });
    direct to(std::move(a));
    const std::string number(40, '7');  // like the name, too long for the small string optimization
    CHECK(to.ask("POST /later/" + number + "\ncontent-type: application/json",
                 "{\"name\":\"a name that needs memory of its own, \"}") == "waits");
    open.waiter.resume();
    CHECK(to.answered());
    CHECK(to.body() == "a name that needs memory of its own, " + number);
}

TEST_CASE("a handler's own text is copied, a literal is not") {
    app a;
    a.get("/own/{name}", [](const std::string& name) { return name.c_str(); });
    a.get("/view", [] {
        static std::string text = "first";
        return std::string_view(text);
    });
    a.get("/literal", [] { return apus::literal("constant"); });
    direct to(std::move(a));
    CHECK(to.ask("GET /own/somebody-with-a-long-name") == "200 somebody-with-a-long-name");
    CHECK(to.ask("GET /view") == "200 first");
    CHECK(to.ask("GET /literal") == "200 constant");
    CHECK(to.exchange().answer.has_literal());
}

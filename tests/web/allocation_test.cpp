// SPDX-License-Identifier: Apache-2.0
#include "support/counted_memory.hpp"
#include "support/direct.hpp"

#include <doctest/doctest.h>

#include <new>
#include <string_view>

using apus::app;
using apus::support::direct;

namespace {

app text_app() {
    app a;
    a.get("/", [] { return "Hello, world!\n"; });
    a.get("/users/{id}/posts/{post}", [](int, std::string_view post) { return post; });
    a.get("/later", []() -> apus::task<const char*> { co_return "later"; });
    return a;
}

app filtered() {
    app a = text_app();
    a.use([](apus::request& req) -> apus::result<void> {
        if (req.header("host").empty()) return apus::fail(400, "no host");
        return {};
    });
    return a;
}

app wrapped() {
    app a = filtered();
    a.use([](apus::request& req, apus::next_handler next) -> apus::task<apus::response> {
        co_return co_await next(req);
    });
    return a;
}

// Returns the allocations per request, after the first requests have left reusable memory.
double allocations_a_request(app a, std::string_view head) {
    direct to(std::move(a));
    for (int i = 0; i < 10; ++i) to.send(head);
    constexpr int requests = 100;
    const auto before = apus::support::allocations();
    for (int i = 0; i < requests; ++i) to.send(head);
    const auto after = apus::support::allocations();
    CHECK(to.status() == 200);
    return static_cast<double>(after - before) / requests;
}

void check_text_routes(app (*make)()) {
    CHECK(allocations_a_request(make(), "GET /") == 0);
    CHECK(allocations_a_request(make(), "GET /users/7/posts/short") == 0);
    CHECK(allocations_a_request(make(), "GET /users/7/posts/sh%20rt") == 0);
}

}  // namespace

TEST_CASE("a request for text allocates nothing and makes no coroutine") {
    if (!apus::support::allocations_are_counted) return apus::support::skip(apus::support::not_counted);
    SUBCASE("without middleware") { check_text_routes(text_app); }
    SUBCASE("behind a filter") { check_text_routes(filtered); }
}

TEST_CASE("a coroutine takes its frame from the core's own memory") {
    if (!apus::support::allocations_are_counted) return apus::support::skip(apus::support::not_counted);
    check_text_routes(wrapped);
    CHECK(allocations_a_request(text_app(), "GET /later") == 0);
    CHECK(allocations_a_request(wrapped(), "GET /later") == 0);
}

TEST_CASE("allocations are counted") {
    if (!apus::support::allocations_are_counted) return apus::support::skip(apus::support::not_counted);
    const auto before = apus::support::allocations();
    ::operator delete(::operator new(100));  // a direct call, which compilers must not remove
    CHECK(apus::support::allocations() == before + 1);
}

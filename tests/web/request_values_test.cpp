// SPDX-License-Identifier: Apache-2.0
#include "support/counted_memory.hpp"
#include "support/direct.hpp"

#include <doctest/doctest.h>

#include <string>

using apus::app;
using apus::request;
using apus::support::direct;

namespace {

// Records its destruction.
struct leaving {
    std::string* to = nullptr;
    std::string name;

    leaving(std::string& log, std::string n) : to(&log), name(std::move(n)) {}
    leaving(leaving&& other) noexcept : to(std::exchange(other.to, nullptr)), name(std::move(other.name)) {}
    leaving& operator=(leaving&&) = delete;
    ~leaving() {
        if (to) *to += name + " ";
    }
};

struct first : leaving {
    using leaving::leaving;
};
struct second : leaving {
    using leaving::leaving;
};
struct number {
    int n;
};

}  // namespace

template <>
inline constexpr bool apus::request_value<number> = true;
template <>
inline constexpr bool apus::request_value<first> = true;

TEST_CASE("request values are found by type, and live as long as the request") {
    std::string log;
    app a;
    a.use([&log](request& req) -> apus::result<void> {
        CHECK(req.find<first>() == nullptr);
        req.set(first(log, "first"));
        first* const where = req.find<first>();
        req.set(second(log, "second"));
        req.set(number{7});
        CHECK(req.find<first>() == where);
        CHECK(req.find<second>()->name == "second");
        return {};
    });
    a.get("/", [&log](number& n, request& req, const first& f) {
        log += "handler ";
        return f.name + std::to_string(n.n) + std::to_string(req.find<number>() == &n);
    });
    direct to(std::move(a));
    CHECK(to.ask("GET /") == "200 first71");
    CHECK(log == "handler ");
    to.exchange().reset();
    CHECK(log == "handler second first ");  // values are destroyed in reverse order
}

TEST_CASE("a value replaces one of its type") {
    std::string log;
    app a;
    a.get("/", [&log](request& req) {
        req.set(number{1});
        req.set(first(log, "old"));
        req.set(number{2});
        first& made = req.set(first(log, "new"));
        return made.name + std::to_string(req.find<number>()->n);
    });
    direct to(std::move(a));
    CHECK(to.ask("GET /") == "200 new2");
    CHECK(log == "old ");
}

TEST_CASE("no value is seen by the next request") {
    app a;
    a.get("/set", [](request& req) { req.set(number{1}); });
    a.get("/look", [](request& req) { return req.find<number>() ? "there" : "none"; });
    direct to(std::move(a));
    to.ask("GET /set");
    CHECK(to.ask("GET /look") == "200 none");
}

TEST_CASE("a handler with an unset request value is not called") {
    app a;
    a.use([](request&) -> apus::result<void> { return {}; });  // this middleware might set the value
    a.get("/", [](const number&) { return "called"; });
    a.get("/later", [](number&) -> apus::task<std::string> { co_return "called"; });
    direct to(std::move(a));
    check_problems(to, {{"GET /", "500"}, {"GET /later", "500"}});
}

TEST_CASE("request values use the core's own memory") {
    if (!apus::support::allocations_are_counted) return apus::support::skip(apus::support::not_counted);
    app a;
    a.use([](request& req) -> apus::result<void> { return req.set(number{1}), apus::result<void>(); });
    a.get("/", [](number& n) { return n.n == 1 ? "1" : "?"; });
    direct to(std::move(a));
    for (int i = 0; i < 10; ++i) to.send("GET /");
    const auto before = apus::support::allocations();
    for (int i = 0; i < 10; ++i) to.send("GET /");
    CHECK(apus::support::allocations() == before);
}

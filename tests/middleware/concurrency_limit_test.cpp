// SPDX-License-Identifier: Apache-2.0
#include <apus/concurrency_limit.hpp>

#include "middleware/crowd.hpp"

#include <apus/sleep.hpp>
#include <apus/stream.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

using apus::app;
using apus::concurrency_limit;
using apus::support::crowd;

namespace {

// State of the handlers of `busy`.
struct state {
    int running = 0, most = 0;
    bool open = false;  // set to let the handlers return
};

struct counted {
    state& of;
    explicit counted(state& s) : of(s) { of.most = std::max(of.most, ++of.running); }
    counted(const counted&) = delete;
    ~counted() { --of.running; }
};

app busy(state& s, const apus::concurrency_limit_options& how) {
    app limited;
    limited.use(concurrency_limit(how));
    limited.get("/", [&s]() -> apus::task<std::string> {
        counted c(s);
        while (!s.open) co_await apus::sleep_for(apus::milliseconds(1));
        co_return "done";
    });
    limited.get("/stream", [&s] {
        return apus::stream("text/plain", [&s](apus::writer& out) -> apus::task<> {
            counted c(s);
            co_await out.write("begun ");
            while (!s.open) co_await apus::sleep_for(apus::milliseconds(1));
            co_await out.write("ended");
        });
    });
    limited.get("/sync", [] { return "sync"; });
    app a;
    a.mount("/in", std::move(limited));
    a.get("/open", [&s] { return s.open = true, "opened"; });
    return a;
}

}  // namespace

TEST_CASE("over the limit and the queue: 503 with Retry-After") {
    state s;
    crowd c(busy(s, {.running = 1, .waiting = 0, .retry_after = apus::milliseconds(1500)}));
    const auto first = c.ask("/in");
    CHECK(s.running == 1);
    const auto refused = c.answer_of(c.ask("/in"));
    CHECK(refused.status == 503);
    CHECK(refused.header("retry-after") == "2");
    CHECK(refused.header("content-type") == "application/problem+json");
    CHECK(refused.body.contains("too many requests in progress"));
    s.open = true;
    CHECK(c.answer_of(first).body == "done");
    CHECK(c.answer_of(c.ask("/in")).body == "done");
    CHECK(s.most == 1);
}

TEST_CASE("a queued request runs when another one is done") {
    state s;
    crowd c(busy(s, {.running = 2, .waiting = 3}));
    std::size_t all[6];
    for (auto& one : all) one = c.ask("/in");
    CHECK(s.running == 2);
    CHECK(c.answer_of(all[5]).status == 503);
    CHECK_FALSE(c.answered(all[4]));
    s.open = true;
    for (int i = 0; i < 5; ++i) CHECK(c.answer_of(all[i]).body == "done");
    CHECK(s.most == 2);
}

TEST_CASE("a request that waits too long is refused") {
    state s;
    crowd c(busy(s, {.running = 1, .wait = apus::milliseconds(5)}));
    const auto first = c.ask("/in");
    CHECK(c.answer_of(c.ask("/in")).status == 503);
    CHECK_FALSE(c.answered(first));
}

TEST_CASE("a client that disconnects frees its slot or its place in the queue") {
    state s;
    crowd c(busy(s, {.running = 1, .waiting = 1}));
    const auto first = c.ask("/in"), second = c.ask("/in");
    CHECK(c.answer_of(c.ask("/in")).status == 503);
    c.leave(second);
    c.turn();
    const auto third = c.ask("/in");
    CHECK_FALSE(c.answered(third));
    CHECK(s.running == 1);
    c.leave(first);
    c.turn();
    CHECK(s.running == 1);  // the third request's handler
    s.open = true;
    CHECK(c.answer_of(third).body == "done");
    CHECK(s.running == 0);
}

TEST_CASE("a streamed body holds its slot until it ends") {
    state s;
    crowd c(busy(s, {.running = 1, .waiting = 1}));
    const auto stream = c.ask("/in/stream");
    CHECK(s.running == 1);
    const auto next = c.ask("/in/sync");
    CHECK_FALSE(c.answered(next));
    s.open = true;
    CHECK(c.answer_of(stream).body == "begun ended");
    CHECK(c.answer_of(next).body == "sync");
}

TEST_CASE("a body of known size keeps its length") {
    app a;
    a.use(concurrency_limit());
    a.get("/", [] {
        auto body = apus::detail::make_producer([](apus::writer& out) -> apus::task<> { co_await out.write("whole"); });
        body.size = 5;
        apus::response res;
        res.produce(body, "text/plain");
        return res;
    });
    crowd c(std::move(a));
    const auto answer = c.answer_of(c.ask("/"));
    CHECK(answer.header("content-length") == "5");
    CHECK(answer.body == "whole");
}

TEST_CASE("handlers that do not wait hold no slot, and other routes are unlimited") {
    state s;
    crowd c(busy(s, {.running = 1, .waiting = 0}));
    for (int i = 0; i < 3; ++i) CHECK(c.answer_of(c.ask("/in/sync")).body == "sync");
    const auto held = c.ask("/in");
    CHECK(c.answer_of(c.ask("/in/sync")).status == 503);
    CHECK(c.answer_of(c.ask("/open")).body == "opened");
    CHECK(c.answer_of(held).body == "done");
}

TEST_CASE("copies have limits of their own") {
    const concurrency_limit limit({.running = 1, .waiting = 0});
    state s;
    app a, b, whole;
    for (app* one : {&a, &b}) {
        one->use(limit);
        one->get("/", [&s]() -> apus::task<std::string> {
            counted c(s);
            while (!s.open) co_await apus::sleep_for(apus::milliseconds(1));
            co_return "done";
        });
    }
    whole.mount("/a", std::move(a));
    whole.mount("/b", std::move(b));
    crowd c(std::move(whole));
    const auto first = c.ask("/a"), second = c.ask("/b");
    CHECK(s.running == 2);
    s.open = true;
    CHECK(c.answer_of(first).status == 200);
    CHECK(c.answer_of(second).status == 200);
}

TEST_CASE("concurrency limit: invalid options are rejected") {
    CHECK_THROWS_AS(concurrency_limit({.running = 0}), std::invalid_argument);
    CHECK_THROWS_AS(concurrency_limit({.wait = apus::milliseconds(0)}), std::invalid_argument);
    CHECK_THROWS_AS(concurrency_limit({.retry_after = apus::seconds(-1)}), std::invalid_argument);
}

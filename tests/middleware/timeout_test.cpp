// SPDX-License-Identifier: Apache-2.0
#include <apus/timeout.hpp>

#include <apus/blocking.hpp>
#include <apus/sleep.hpp>
#include <apus/stream.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <memory>
#include <string>
#include <thread>

using apus::app;
using apus::test::client;

namespace {

struct leaving {
    std::string& to;
    explicit leaving(std::string& t) : to(t) {}
    leaving(const leaving&) = delete;
    ~leaving() { to += "left "; }
};

app slow(std::string& seen, int status = 504) {
    app a;
    a.use([&seen](apus::request& req, apus::next_handler next) -> apus::task<apus::response> {
        apus::response res = co_await next(req);
        seen += std::to_string(res.status());
        co_return res;
    });
    app inner;
    inner.use(apus::timeout(apus::milliseconds(20), status));
    inner.get("/sleeps", [&seen]() -> apus::task<std::string> {
        leaving l(seen);
        co_await apus::sleep_for(apus::seconds(60));
        co_return "late";
    });
    inner.get("/in-time", []() -> apus::task<std::string> {
        co_await apus::sleep_for(apus::milliseconds(1));
        co_return "in time";
    });
    inner.get("/at-once", [] { return "at once"; });
    inner.get("/fails", []() -> apus::task<> {
        co_await apus::sleep_for(apus::milliseconds(1));
        co_await apus::fail(409, "no");
    });
    inner.post("/reads", [&seen](apus::request& req) -> apus::task<std::string> {
        leaving l(seen);
        co_return co_await req.body();
    });
    inner.get("/streams", [] {
        return apus::stream("text/plain", [](apus::writer& out) -> apus::task<> {
            co_await out.write("begun, ");
            co_await apus::sleep_for(apus::milliseconds(60));
            co_await out.write("ended");
        });
    });
    a.mount("/in", std::move(inner));
    return a;
}

}  // namespace

TEST_CASE("a slow handler is cancelled, and the client gets 504") {
    std::string seen;
    client c(slow(seen));
    const auto late = c.get("/in/sleeps");
    CHECK(late.status == 504);
    CHECK(late.header("content-type") == "application/problem+json");
    CHECK(late.body.contains("the response took too long"));
    CHECK_FALSE(late.closed);
    CHECK(seen == "left 504");
}

TEST_CASE("timely responses are unchanged") {
    std::string seen;
    client c(slow(seen));
    CHECK(c.get("/in/in-time").body == "in time");
    CHECK(c.get("/in/at-once").body == "at once");
    CHECK(c.get("/in/fails").status == 409);
    CHECK(seen == "200200409");
}

TEST_CASE("the status may be 503") {
    std::string seen;
    client c(slow(seen, 503));
    CHECK(c.get("/in/sleeps").status == 503);
}

TEST_CASE("waiting for a missing body ends") {
    std::string seen;
    client c(slow(seen));
    CHECK(c.send_raw("POST /in/reads HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\nhalf").status == 504);
    CHECK(seen == "left 504");
}

TEST_CASE("blocking work continues, and its result is dropped") {
    struct progress {
        std::atomic<bool> begun = false, go_on = false, done = false;
    };
    const auto shared = std::make_shared<progress>();
    app a;
    a.use(apus::timeout(apus::milliseconds(10)));
    a.get("/", [shared]() -> apus::task<std::string> {
        auto work = [shared] {
            shared->begun = true;
            while (!shared->go_on) std::this_thread::yield();
            shared->done = true;
            return 1;
        };
        co_await apus::blocking(apus::owning(std::move(work)));
        co_return std::string("late");
    });
    client c(std::move(a));
    CHECK(c.get("/").status == 504);
    shared->go_on = true;
    // A job that the thread pool has not started by the deadline, which may happen on a busy machine, is dropped.
    while (shared->begun && !shared->done) std::this_thread::yield();
}

TEST_CASE("a streamed body that began in time may take longer") {
    std::string seen;
    client c(slow(seen));
    CHECK(c.get("/in/streams").body == "begun, ended");
}

TEST_CASE("the shortest of several timeouts applies") {
    std::string seen;
    app a;
    a.use(apus::timeout(apus::seconds(60)));
    a.mount("/short", slow(seen));
    client c(std::move(a));
    CHECK(c.get("/short/in/sleeps").status == 504);
}

TEST_CASE("a client that disconnects before the timeout leaves nothing behind") {
    std::string seen;
    {
        client c(slow(seen), {.timeout = apus::milliseconds(1)});
        CHECK_THROWS_AS(c.get("/in/sleeps"), std::runtime_error);
    }
    CHECK(seen == "left ");
}

TEST_CASE("invalid timeouts and statuses are rejected") {
    CHECK_THROWS_AS(apus::timeout(apus::milliseconds(0)), std::invalid_argument);
    CHECK_THROWS_AS(apus::timeout(apus::seconds(-1)), std::invalid_argument);
    CHECK_THROWS_AS(apus::timeout(apus::seconds(1), 200), std::invalid_argument);
    CHECK_THROWS_AS(apus::timeout(apus::seconds(1), 408), std::invalid_argument);
}

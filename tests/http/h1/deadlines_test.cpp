// SPDX-License-Identifier: Apache-2.0
#include "http/h1/wire.hpp"

#include <apus/sleep.hpp>
#include <apus/stream.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace apus;
using test::statuses;
using test::wire;

namespace {

// Timeouts that are short enough for a test, and long enough for a busy machine.
limits near() {
    limits l;
    l.head = milliseconds(60);
    l.idle = milliseconds(60);
    l.handler = milliseconds(60);
    l.rate_window = milliseconds(60);
    return l;
}

app make_app() {
    app a;
    a.get("/", [] { return "hello\n"; });
    a.get("/stuck", []() -> task<> { co_await apus::sleep_for(seconds(3600)); });
    a.get("/unbounded",
          []() -> task<std::string> {
              co_await apus::sleep_for(milliseconds(150));
              co_return "done\n";
          },
          {.handler = seconds(-1)});
    a.get("/patient",
          []() -> task<std::string> {
              co_await apus::sleep_for(milliseconds(150));
              co_return "done\n";
          },
          {.handler = seconds(20)});
    a.post("/whole", [](body_text in) { return std::string(in.bytes); });
    a.post("/read", [](request& in) -> task<std::string> { co_return co_await in.body(); });
    a.get("/large", [] { return std::string(3'000'000, 'L'); });
    a.get("/stream", [] {
        return stream("text/plain", [](writer& out) -> task<> {
            const std::string piece(10'000, 'x');
            while (true) co_await out.write(piece);
        });
    });
    a.get("/drip", [] {
        return stream("text/plain", [](writer& out) -> task<> {
            for (int i = 0; i < 4; ++i) {
                co_await apus::sleep_for(milliseconds(70));
                co_await out.write("x");
            }
        });
    });
    return a;
}

constexpr std::string_view get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

}  // namespace

TEST_CASE("a head that does not arrive in time gets 408 and a close") {
    for (std::string_view begun : {"G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: a\r\nX"}) {
        CAPTURE(begun);
        wire w(make_app(), near());
        w.send(begun);
        const auto all = w.rest();
        CHECK(statuses(all) == "408");
        CHECK(w.core().counts.deadlines == 1);
    }
}

TEST_CASE("arriving bytes do not extend a head's deadline") {
    wire w(make_app(), near());
    w.send("GET / HTTP/1.1\r\nHost: a\r\n");
    std::string all;
    w.turn_until([&] {
        w.try_send("x: y\r\n");
        all += w.take();
        return w.ended;
    });
    const auto said = statuses(all);
    CHECK((said == "408" || said == "431"));
}

TEST_CASE("an idle connection is closed without a response") {
    wire silent(make_app(), near());
    CHECK(silent.rest() == "");
    silent.connect();
    silent.send(get);
    CHECK(statuses(silent.rest()) == "200");
    silent.connect();
    silent.send(get);
    silent.until("hello");
    silent.send(get);
    silent.until("hello");
    CHECK(silent.rest() == "");
}

TEST_CASE("the handler timeout, or that of its route") {
    wire w(make_app(), near());
    w.send("GET /stuck HTTP/1.1\r\nHost: a\r\n\r\n");
    CHECK(statuses(w.rest()) == "503");
    for (auto path : {"/unbounded", "/patient"}) {
        CAPTURE(path);
        w.connect();
        w.send("GET " + std::string(path) + " HTTP/1.1\r\nHost: a\r\n\r\n");
        CHECK(w.until("done").contains("200 OK"));
    }
}

TEST_CASE("a stream of single bytes is neither a slow handler nor a slow reader") {
    wire w(make_app(), near());
    w.send("GET /drip HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    CHECK(w.rest().ends_with("\r\n0\r\n\r\n"));
}

TEST_CASE("a body that arrives too slowly is aborted") {
    for (auto path : {"/whole", "/read"}) {
        CAPTURE(path);
        limits l = near();
        l.handler = seconds(20);
        wire w(make_app(), l);
        w.send("POST " + std::string(path) + " HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nabc");
        CHECK(statuses(w.rest()) == "408");
    }
}

TEST_CASE("a stalled body is a 408 even if a stall of the server used up the handler's time") {
    limits l;
    l.rate_window = milliseconds(400);
    l.handler = milliseconds(900);
    wire w(make_app(), l);
    w.send("POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nabc");
    w.pass(2'000);
    CHECK(statuses(w.rest()) == "408");
}

TEST_CASE("a body that keeps its rate may take any time") {
    limits l = near();
    l.body_rate = 10;  // one byte per measuring interval
    l.handler = seconds(20);
    for (auto path : {"/whole", "/read"}) {
        CAPTURE(path);
        wire w(make_app(), l);
        w.send("POST " + std::string(path) + " HTTP/1.1\r\nHost: a\r\nContent-Length: 2000\r\n\r\n");
        const auto begin = w.loop().now();
        std::size_t sent = 0;
        w.turn_until([&] {
            // One byte per millisecond.
            if (w.loop().now() - begin > sent) sent += w.try_send("x") > 0;
            return w.loop().now() - begin > 250;
        });
        CHECK(w.take() == "");
        w.send(std::string(2000 - sent, 'x'));
        CHECK(w.until("xxx").contains("200 OK"));
    }
}

TEST_CASE("a client that does not read its response is disconnected") {
    for (auto path : {"/large", "/stream"}) {
        CAPTURE(path);
        wire w(make_app(), near());
        w.send("GET " + std::string(path) + " HTTP/1.1\r\nHost: a\r\n\r\n");
        w.wait_for_close();
        CHECK(w.core().counts.rates_refused == 1);
    }
}

TEST_CASE("a slow but steady reader gets the whole response") {
    limits l = near();
    l.drain_rate = 1000;
    wire w(make_app(), l);
    w.send("GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    std::string all;
    std::uint64_t last = 0;
    w.turn_until([&] {
        if (w.loop().now() == last) return false;
        last = w.loop().now();
        all += w.take(8'000);
        return w.ended;
    });
    CHECK(all.size() > 3'000'000);
}

TEST_CASE("lingering after the last response has a timeout") {
    wire w(make_app(), near());
    w.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nand more");
    CHECK(w.rest().ends_with("hello\n"));
    w.send("and more");
    w.turn(3);
    w.half_close();
    w.wait_for_close();
}

TEST_CASE("pipelined bodies do not extend the deadline of unread responses") {
    app a;
    a.post("/large", [](body_text) { return std::string(17'000, 'L'); });
    wire w(std::move(a));
    const std::string asked = "POST /large HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc";
    for (int i = 0; i < 20; ++i) w.try_send(asked);  // more than the socket accepts at once
    w.turn(10);
    int seconds_gone = 0;
    for (; seconds_gone < 60 && w.core().connections.inside() > 0; ++seconds_gone) w.try_send(asked), w.pass(1000);
    CHECK(seconds_gone <= 11);
    CHECK(w.core().counts.rates_refused == 1);
}

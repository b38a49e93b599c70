// SPDX-License-Identifier: Apache-2.0
#include "http/h1/wire.hpp"

#include <apus/sleep.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace apus;
using test::statuses;
using test::wire;

namespace {

struct made {
    bool go = false;
    app make() {
        app a;
        a.get("/", [] { return "hello\n"; });
        a.get("/late", [this]() -> task<std::string> {
            while (!go) co_await apus::sleep_for(milliseconds(1));
            co_return "late\n";
        });
        a.post("/echo", [](body_text in) { return std::string(in.bytes); });
        return a;
    }
};

std::string get(std::string_view path) { return "GET " + std::string(path) + " HTTP/1.1\r\nHost: a\r\n\r\n"; }

}  // namespace

TEST_CASE("draining completes the current request with Connection: close") {
    made m;
    wire w(m.make());
    w.send(get("/late"));
    w.turn(3);
    w.core().drain();
    w.turn(3);
    CHECK(w.take() == "");
    m.go = true;
    const auto all = w.rest();
    CHECK(all.contains("Connection: close\r\n"));
    CHECK(all.ends_with("late\n"));
    w.hang_up();
    w.wait_for_close();
}

TEST_CASE("draining closes idle connections after a grace period") {
    made m;
    wire w(m.make());
    w.send(get("/"));
    w.until("hello");
    w.core().drain();
    w.turn(2);
    w.send(get("/"));
    const auto all = w.rest();
    CHECK(statuses(all) == "200");
    CHECK(all.contains("Connection: close\r\n"));
}

TEST_CASE("draining lets a partial request complete") {
    made m;
    wire w(m.make());
    w.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabc");
    w.turn(3);
    w.core().drain();
    w.turn(3);
    w.send("def");
    const auto all = w.rest();
    CHECK(all.contains("Connection: close\r\n"));
    CHECK(all.ends_with("abcdef"));
}

TEST_CASE("an idle connection is closed soon after draining begins") {
    made m;
    wire w(m.make());
    w.turn(2);
    w.core().drain();
    CHECK(w.rest() == "");
    w.hang_up();
    w.wait_for_close();
}

TEST_CASE("requests over the limit per connection are not answered") {
    made m;
    limits l;
    l.requests_per_connection = 3;
    wire w(m.make(), l);
    w.send(get("/") + get("/") + get("/") + get("/"));
    const auto all = w.rest();
    CHECK(statuses(all) == "200 200 200");
    CHECK(all.find("Connection: close") > all.rfind("HTTP/1.1"));
}

TEST_CASE("events are counted") {
    made m;
    wire w(m.make());
    w.send(get("/") + get("/none") + "BAD\r\n\r\n");
    CHECK(statuses(w.rest()) == "200 404 400");
    const auto& counts = w.core().counts;
    CHECK(counts.connections_opened == 1);
    CHECK(counts.requests == 2);
    CHECK(counts.refusals == 1);
    CHECK(counts.responses[2] == 1);
    CHECK(counts.responses[4] == 2);
    CHECK(counts.cancelled == 0);
}

TEST_CASE("exchanges are reused without old state") {
    app a;
    a.get("/{name}", [](request& in, std::string_view name) {
        return std::string(name) + "|" + std::string(in.path()) + "|" + std::string(in.query()) + "|" +
               std::string(in.header("x-a"));
    });
    wire w(std::move(a));
    w.send("GET /caf%C3%A9?q HTTP/1.1\r\nHost: a\r\nX-A: b\r\n\r\n");
    CHECK(w.until("|b").ends_with("caf\xc3\xa9|/caf\xc3\xa9|q|b"));
    w.send(get("/x"));
    CHECK(w.until("x|").ends_with("x|/x||"));
}

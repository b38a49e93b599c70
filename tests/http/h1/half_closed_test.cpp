// SPDX-License-Identifier: Apache-2.0
#include "http/h1/wire.hpp"

#include <apus/sleep.hpp>
#include <apus/stream.hpp>

#include <doctest/doctest.h>

#include <string>

// Clients that shut down their sending side and continue reading.

using namespace apus;
using namespace apus::test;

namespace {

struct seen {
    bool go = false;
    int cancelled = 0;

    struct witness {
        int* count;
        ~witness() {
            if (count) ++*count;
        }
    };
};

app make_app(seen& s) {
    app a;
    a.get("/", [] { return "hello\n"; });
    a.get("/wait", [&s]() -> task<std::string> {
        seen::witness w{&s.cancelled};
        while (!s.go) co_await apus::sleep_for(milliseconds(1));
        w.count = nullptr;
        co_return "waited\n";
    });
    a.get("/stream", [&s] {
        return stream("text/plain", [&s](writer& out) -> task<> {
            seen::witness w{&s.cancelled};
            co_await out.write("first ");
            while (!s.go) co_await apus::sleep_for(milliseconds(1));
            co_await out.write("last\n");
            w.count = nullptr;
        });
    });
    a.get("/drip", [&s] {
        return stream("text/plain", [&s](writer& out) -> task<> {
            seen::witness w{&s.cancelled};
            while (true) {
                co_await out.write("drop\n");
                co_await apus::sleep_for(milliseconds(5));
            }
        });
    });
    a.post("/whole", [](body_text in) { return std::string(in.bytes) + "\n"; });
    a.post("/read", [&s](request& in) -> task<std::string> {
        seen::witness w{&s.cancelled};
        while (!s.go) co_await apus::sleep_for(milliseconds(1));
        const std::string all = co_await in.body();
        w.count = nullptr;
        co_return all + "\n";
    });
    a.post("/ignored", [&s]() -> task<std::string> {
        while (!s.go) co_await apus::sleep_for(milliseconds(1));
        co_return "not read\n";
    });
    a.post("/pieces", [&s](request&) {
        return stream("text/plain", [&s](request& in, writer& out) -> task<> {
            seen::witness w{&s.cancelled};
            for (std::string_view piece = co_await in.read(); !piece.empty(); piece = co_await in.read())
                co_await out.write(piece);
            w.count = nullptr;
        });
    });
    return a;
}

std::string get(std::string_view path) { return "GET " + std::string(path) + " HTTP/1.1\r\nHost: a\r\n\r\n"; }
std::string post(std::string_view path, std::string_view body, std::size_t announced) {
    return "POST " + std::string(path) + " HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(announced) +
           "\r\n\r\n" + std::string(body);
}

}  // namespace

TEST_CASE(
    "a client that has ended its side gets the answer to each request that came whole, and 400 to a part of one") {
    struct {
        const char* name;
        std::string bytes;
        std::string statuses, end;
        int cancelled = 0;
    } const cases[] = {
        {"a handler that waits", get("/wait"), "200", "waited\n"},
        {"a streamed answer", get("/stream"), "200", "\r\n0\r\n\r\n"},
        {"a request behind one that waits", get("/wait") + get("/"), "200 200", "hello\n"},
        {"many behind one that waits", get("/wait") + get("/wait") + get("/stream") + get("/"), "200 200 200 200",
         "hello\n"},
        {"the beginning of a head behind one that waits", get("/wait") + "GET / HT", "200", "waited\n"},
        {"a body that is read later", post("/read", "abc", 3), "200", "abc\n"},
        {"a large body that is read later", post("/read", std::string(40'000, 'x'), 40'000), "200", "x\n"},
        {"a body in part, taken whole", post("/whole", "ab", 3), "400", "}\n"},
        {"a body in part, read", post("/read", "ab", 3), "400", "}\n", 1},
        {"a body in part, not read", post("/ignored", "ab", 3), "200", "not read\n"},
        {"a body in part, while its answer is written", post("/pieces", "ab", 3), "200", "ab\r\n", 1},
        {"a body in part behind one that waits", get("/wait") + post("/whole", "ab", 3), "200 400", "}\n"},
    };
    for (const auto kind : {over::unix_pair, over::tcp}) {
        for (const auto& c : cases) {
            CAPTURE(std::string(c.name));
            seen s;
            wire w(make_app(s), {}, kind);
            w.send(c.bytes);
            w.turn(3);
            w.half_close();
            w.turn(5);
            s.go = true;
            const std::string all = w.rest();
            CHECK(statuses(all) == c.statuses);
            CHECK(all.ends_with(c.end));
            CHECK(!w.was_reset);
            CHECK(s.cancelled == c.cancelled);
            w.wait_for_close();
        }
    }
}

TEST_CASE("a half-closed client that vanished cancels its handler, by a reset or a failed write") {
    for (const std::string_view path : {"/wait", "/stream"}) {
        seen s;
        wire w(make_app(s), {.handler = seconds(-1)}, over::tcp);
        w.send(get(path));
        w.turn(3);
        w.half_close();
        w.pass(60'000);
        CHECK(s.cancelled == 0);
        w.reset();
        w.pass(6'000);
        w.wait_for_close();
        CHECK(s.cancelled == 1);
    }
    seen s;
    wire w(make_app(s), {}, over::tcp);
    w.send(get("/drip"));
    w.until("drop");
    w.half_close();
    w.until("drop");
    w.hang_up();
    w.wait_for_close();
    CHECK(s.cancelled == 1);
}

TEST_CASE("deadlines apply to half-closed clients") {
    seen s;
    wire w(make_app(s));
    w.send(get("/wait"));
    w.turn(3);
    w.half_close();
    for (int i = 0; i < 31; ++i) w.pass(1'000);
    CHECK(statuses(w.rest()) == "503");
    CHECK(s.cancelled == 1);
    w.wait_for_close();
}

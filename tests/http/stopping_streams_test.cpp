// SPDX-License-Identifier: Apache-2.0
#include "http/h2/frames.hpp"

#include <apus/events.hpp>
#include <apus/sleep.hpp>

#include <doctest/doctest.h>

#include <string>

// Long-lived responses when the server stops.

using namespace apus;
using namespace apus::test;

namespace {

struct witness {
    int* ended;
    ~witness() { ++*ended; }
};

app make_app(int& ended) {
    app a;
    a.get("/events", [&ended] {
        return events([&ended](event_writer& out) -> task<> {
            witness here{&ended};
            co_await out.send("first");
            co_await apus::sleep_for(seconds(3600));
            co_await out.send("never");
        });
    });
    a.get("/told", [&ended] {
        return events(
            [&ended](event_writer& out) -> task<> {
                witness here{&ended};
                co_await out.send("first");
                while (!out.stopping()) co_await apus::sleep_for(milliseconds(1));
                co_await out.send("bye");
            },
            {.ends_at_stop = false});
    });
    a.get("/stream", [&ended] {
        return stream("text/plain", [&ended](writer& out) -> task<> {
            witness here{&ended};
            co_await out.write("first\n");
            while (!out.stopping()) co_await apus::sleep_for(milliseconds(1));
            co_await out.write("bye\n");
        });
    });
    a.get("/failing", [] {
        return events([](event_writer& out) -> task<> {
            co_await out.send("first");
            co_await fail(500, "no more");
        });
    });
    return a;
}

struct example {
    std::string_view path, end;
};
constexpr example examples[] = {
    {"/events", "data: first\n\n"},
    {"/told", "data: bye\n\n"},
    {"/stream", "bye\n"},
};

}  // namespace

TEST_CASE("event streams end on shutdown, and other streams are notified") {
    for (const auto& one : examples) {
        CAPTURE(one.path);
        int ended = 0;
        wire w(make_app(ended));
        w.send("GET " + std::string(one.path) + " HTTP/1.1\r\nHost: a\r\n\r\n");
        std::string all = w.until("first");
        w.turn(3);
        CHECK(ended == 0);
        w.core().drain();
        all += w.rest();
        CHECK(all.contains(one.end));
        CHECK(all.ends_with("\r\n0\r\n\r\n"));
        CHECK(ended == 1);
        w.hang_up();
        w.wait_for_close();
    }
    for (const auto& one : examples) {
        CAPTURE(one.path);
        int ended = 0;
        h2::client c(make_app(ended));
        c.greet();
        c.send(h2::get(1, one.path));
        c.until([&] { return c.streams[1].body.contains("first"); });
        c.line().core().drain();
        c.until([&] { return c.streams[1].over(); });
        CHECK(c.streams[1].body.ends_with(one.end));
        CHECK(c.streams[1].ended);
        CHECK(c.streams[1].code == -1);
        CHECK(ended == 1);
        c.to_end();
    }
}

TEST_CASE("an event stream that begins during shutdown ends at once, and a failing one is aborted") {
    int ended = 0;
    wire w(make_app(ended));
    w.send("GET /failing HTTP/1.1\r\nHost: a\r\n\r\n");
    const std::string cut = w.rest();
    CHECK(cut.contains("first"));
    CHECK(!cut.ends_with("\r\n0\r\n\r\n"));

    w.connect();
    w.core().drain();
    w.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n");
    const std::string all = w.rest();
    CHECK(all.contains("text/event-stream"));
    CHECK(all.ends_with("\r\n0\r\n\r\n"));
    CHECK(!all.contains("first"));
    CHECK(ended == 0);
}

TEST_CASE("a client that disconnects destroys its event task") {
    int ended = 0;
    wire w(make_app(ended));
    w.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n");
    w.until("first");
    w.hang_up();
    w.wait_for_close();
    CHECK(ended == 1);
}

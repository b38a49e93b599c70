// SPDX-License-Identifier: Apache-2.0
#include "http/h2/app.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus;
using namespace apus::test;
using h2::client;
using h2::made;

TEST_CASE("a response respects the client's windows, and continues after window updates") {
    made m;
    client c(m.make());
    c.greet({{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 1000}});
    c.send(h2::get(1, "/big/3000") + h2::get(3, "/"));
    CHECK(c.of(3).body == "hello\n");
    CHECK(c.streams[1].body.size() == 1000);
    c.send(h2::window_update(1, 1500));
    c.until([&] { return c.streams[1].body.size() == 2500; });
    CHECK(!c.streams[1].ended);
    c.send(h2::window_update(1, 1500));
    CHECK(c.of(1).body == std::string(3000, 'b'));
}

TEST_CASE("a half-closed client gets a complete response that takes many turns") {
    for (const auto kind : {over::unix_pair, over::tcp}) {
        made m;
        client c(m.make(), {}, kind);
        c.greet({{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 1 << 23}});
        c.send(h2::window_update(0, 1 << 23) + h2::get(1, "/big/3000000"));
        c.line().half_close();
        CHECK(c.of(1).body.size() == 3'000'000);
        CHECK(c.of(1).ended);
    }
}

TEST_CASE("streamed bodies, with trailers, and one that fails") {
    made m;
    client c(m.make());
    c.greet({{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 1 << 20}});
    c.send(h2::window_update(0, 1 << 20) + h2::get(1, "/pieces") + h2::get(3, "/broken"));
    CHECK(c.of(1).body.size() == 300'000);
    CHECK(c.of(1).heads.ends_with("\nx-sum: 42\n\n"));
    CHECK(c.of(3).code == NGHTTP2_INTERNAL_ERROR);
    CHECK(c.streams[3].ended == false);
}

TEST_CASE("large responses complete, whatever the size of the socket buffer") {
    for (const auto kind : {over::unix_pair, over::tcp}) {
        made m;
        client c(m.make(), {}, kind);
        c.greet({{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, (1U << 31) - 1}});
        c.send(h2::window_update(0, (1U << 31) - 1 - 65'535));
        c.send(h2::get(1, "/big/3000000") + h2::get(3, "/big/3000000"));
        CHECK(c.of(1).body.size() == 3'000'000);
        CHECK(c.of(3).body.size() == 3'000'000);
    }
}

TEST_CASE("more urgent responses are sent first, and incremental responses alternate") {
    for (const bool by_frame : {false, true}) {
        made m;
        client c(m.make());
        c.greet({{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 1 << 20}, {NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1}});
        c.until([&] { return c.frames[NGHTTP2_SETTINGS] == 2; });
        // Until all streams exist, the connection's window is exhausted, so that all streams are blocked.
        c.send(h2::get(1, "/big/65535"));
        c.of(1);
        const auto ask = [&](std::uint32_t stream, std::string_view priority) {
            if (by_frame)
                c.send(h2::get(stream, "/big/40000") +
                       h2::frame(0x10, h2::no_flags, 0, h2::number(stream, 4) + std::string(priority)));
            else c.send(h2::get(stream, "/big/40000", {{"priority", priority}}));
        };
        ask(3, "u=5");
        ask(5, "u=1");
        ask(7, "u=3, i");
        ask(9, "u=3, i");
        c.turn();
        c.pieces.clear();
        c.send(h2::window_update(0, 1 << 20));
        for (std::uint32_t stream : {3U, 5U, 7U, 9U}) CHECK(c.of(stream).body.size() == 40'000);
        CHECK(c.pieces == "5 5 5 7 9 7 9 7 9 3 3 3 ");
    }
}

TEST_CASE("a streamed response with a status that allows no body becomes a 500") {
    app a;
    a.get("/{status}", [](int status) {
        response res = stream("text/plain", [](writer& out) -> task<> { co_await out.write("body"); });
        res.status(status);
        return res;
    });
    client c(std::move(a));
    c.greet();
    std::uint32_t stream = 1;
    for (const auto status :
         {"-2147483648", "-1", "0", "99", "100", "103", "600", "999", "1234", "100000000", "2147483647"}) {
        c.send(h2::get(stream, "/" + std::string(status)));
        CHECK(c.of(stream).field(":status") == "500");
        stream += 2;
    }
    CHECK(c.counts().responses[5] == 11);
}

// SPDX-License-Identifier: Apache-2.0
#include "http/h2/protocol.hpp"
#include "http/h2/app.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus;
using namespace apus::test;
using h2::client;
using h2::made;

TEST_CASE("requests on several streams of one connection get their responses") {
    made m;
    client c(m.make());
    c.greet();
    c.send(h2::get(1, "/") + h2::get(3, "/said/caf%C3%A9?q=1", {{"cookie", "a=b"}, {"x", "y"}, {"cookie", "c=d"}}) +
           h2::head(5, "HEAD", "/") + h2::get(7, "/none") + h2::get(9, "/empty"));
    CHECK(c.of(9).field(":status") == "204");
    CHECK(c.of(1).field(":status") == "200");
    CHECK(c.of(1).field("content-type") == "text/plain; charset=utf-8");
    CHECK(c.of(1).field("content-length") == "6");
    CHECK(c.of(1).field("date").ends_with(" GMT"));
    CHECK(c.of(1).body == "hello\n");
    CHECK(c.of(3).body == "caf\xc3\xa9|q=1|a|a|a=b; c=d");
    CHECK(c.of(3).field("x-mixed") == "Case");
    CHECK(c.of(5).field("content-length") == "6");
    CHECK(c.of(5).body.empty());
    CHECK(c.of(7).field("content-type") == "application/problem+json");
    CHECK(c.counts().connections_opened == 1);
    CHECK(c.counts().h2_connections == 1);
    CHECK(c.counts().requests == 5);
}

TEST_CASE("bodies: whole, in pieces, too large, not read") {
    made m;
    m.go = true;
    client c(m.make(), {.body = 100'000, .rate_window = milliseconds(40)});
    c.greet();
    c.send(h2::head(1, "POST", "/echo", h2::end_headers) + h2::data(1, "abc") + h2::data(1, "def", h2::end_stream));
    CHECK(c.of(1).body == "abcdef");
    c.send(h2::head(3, "POST", "/read", h2::end_headers) + h2::data(3, "abc"));
    c.turn();
    c.send(h2::data(3, std::string(15'000, 'x')) + h2::data(3, "", h2::end_stream));
    CHECK(c.of(3).body == "15003");
    c.send(h2::head(5, "POST", "/echo", h2::end_headers, {{"content-length", "100001"}}));
    CHECK(c.of(5).field(":status") == "413");
    c.send(h2::head(7, "POST", "/echo", h2::end_headers));
    for (int i = 0; i < 8; ++i) c.send(h2::data(7, std::string(15'000, 'x')));
    CHECK(c.of(7).field(":status") == "413");
    c.until([&] { return c.streams[7].code >= 0; });
    CHECK(c.streams[7].code == NGHTTP2_NO_ERROR);
    c.send(h2::head(9, "POST", "/ignored", h2::end_headers));
    CHECK(c.of(9).body == "not read\n");
    c.send(h2::head(11, "POST", "/trailers", h2::end_headers) + h2::data(11, "abc") +
           h2::frame(NGHTTP2_HEADERS, h2::ends_all, 11, h2::literals({{"x-sum", "7"}, {"content-length", "3"}})));
    CHECK(c.of(11).body == "17");
    CHECK(c.goaway == -1);
}

TEST_CASE("a client that expects 100 Continue gets it when the handler reads") {
    made m;
    client c(m.make());
    c.greet();
    c.send(h2::head(1, "POST", "/read", h2::end_headers, {{"expect", "100-continue"}}));
    c.turn();
    CHECK(c.streams[1].heads == "");
    m.go = true;
    c.until([&] { return c.streams[1].heads == ":status: 100\n\n"; });
    c.send(h2::data(1, "abc", h2::end_stream));
    CHECK(c.of(1).body == "3");
}

TEST_CASE("the window is increased by the number of bytes that the handler has read") {
    made m;
    client c(m.make(), {.h2_stream_window = 70'000, .h2_connection_window = 100'000});
    c.greet();
    c.send(h2::head(1, "POST", "/read", h2::end_headers));
    for (int i = 0; i < 4; ++i) c.send(h2::data(1, std::string(16'000, 'x')));
    c.turn();
    CHECK(c.streams[1].window == 0);
    CHECK(c.streams[0].window == 100'000 - 65'535);
    m.go = true;
    // The window is updated when half of it is used. If the kernel delivers the data in two parts, an update may cover
    // only a part of the data.
    c.until([&] { return c.streams[1].window >= 35'000; });
    CHECK(c.streams[1].window <= 64'000);
    c.send(h2::data(1, "", h2::end_stream));
    CHECK(c.of(1).body == "64000");
}

TEST_CASE("a reset cancels the handler of its stream, and other streams continue") {
    made m;
    client c(m.make());
    c.greet();
    c.send(h2::get(1, "/late") + h2::get(3, "/late"));
    c.turn();
    c.send(h2::reset(1));
    c.until([&] { return m.cancelled == 1; });
    CHECK(c.counts().cancelled == 1);
    m.go = true;
    CHECK(c.of(3).body == "late\n");
}

TEST_CASE("an extended CONNECT opens a tunnel to the handler that HTTP/1.1 upgrades to") {
    made m;
    client c(m.make());
    c.greet();
    const auto connect = [](std::uint32_t stream, std::string_view protocol) {
        return h2::frame(NGHTTP2_HEADERS, h2::end_headers, stream,
                         h2::literals({{":method", "CONNECT"},
                                       {":protocol", protocol},
                                       {":scheme", "http"},
                                       {":path", "/echo"},
                                       {":authority", "a"}}));
    };
    c.send(connect(1, "echo") + h2::data(1, "one"));
    c.until([&] { return c.streams[1].body == "one"; });
    CHECK(c.streams[1].field(":status") == "200");
    CHECK(c.streams[1].field("upgrade") == "");
    c.send(h2::data(1, "two", h2::end_stream));
    CHECK(c.of(1).body == "onetwobye");
    c.send(connect(3, "other") + h2::get(5, "/echo"));
    CHECK(c.of(3).field(":status") == "426");
    CHECK(c.of(5).field(":status") == "426");
    CHECK(c.counts().upgrades == 1);
}

TEST_CASE("draining sends GOAWAY, answers the requests in flight and closes") {
    made m;
    client c(m.make());
    c.greet();
    c.send(h2::get(1, "/late"));
    c.turn();
    c.line().core().drain();
    c.until([&] { return c.goaway == 0; });
    CHECK(c.last_stream == 0x7fffffff);
    c.send(h2::get(3, "/"));
    c.until([&] { return c.streams[3].body == "hello\n" && c.last_stream == 3; });
    m.go = true;
    c.to_end();
    CHECK(c.streams[1].body == "late\n");
    c.line().hang_up();
    c.line().wait_for_close();
}

TEST_CASE("timeouts of a slow handler, of a slow body, and of an idle client") {
    made m;
    client c(m.make(), {.idle = milliseconds(50), .handler = milliseconds(30), .rate_window = milliseconds(40)});
    c.greet();
    c.send(h2::get(1, "/late") + h2::head(3, "POST", "/echo", h2::end_headers) + h2::data(3, "x"));
    CHECK(c.of(1).field(":status") == "503");
    CHECK(c.of(3).field(":status") == "408");
    c.to_end();
    CHECK(c.goaway == NGHTTP2_NO_ERROR);
    CHECK(c.counts().deadlines == 1);
    CHECK(c.counts().rates_refused == 1);
}

TEST_CASE("a connection closes after its maximum number of requests") {
    made m;
    client c(m.make(), {.requests_per_connection = 2});
    c.greet();
    c.send(h2::get(1, "/") + h2::get(3, "/"));
    c.to_end();
    CHECK(c.streams[3].body == "hello\n");
    CHECK(c.last_stream == 3);
}

TEST_CASE("a half-closed client gets its response") {
    made m;
    client c(m.make());
    c.greet();
    c.send(h2::get(1, "/late") + h2::head(3, "POST", "/echo", h2::end_headers));
    c.turn();
    c.line().half_close();
    c.turn();
    m.go = true;
    c.to_end();
    CHECK(c.streams[1].body == "late\n");
    CHECK(c.streams[3].code == NGHTTP2_CANCEL);
}

// SPDX-License-Identifier: Apache-2.0
#include "http/h2/app.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus;
using namespace apus::test;
using h2::client;
using h2::made;

TEST_CASE("the preface may arrive byte by byte, and other bytes are HTTP/1.1") {
    made m;
    client c(m.make());
    for (const char byte : std::string(h2::preface) + h2::settings() + h2::get(1, "/")) {
        c.send({&byte, 1});
        c.turn(2);
    }
    CHECK(c.of(1).body == "hello\n");
    c.line().connect();
    c.send("PRI * HTTP/2.0\r\n\r\nXX");
    CHECK(c.line().rest().find("HTTP/1.1 505") == 0);
    c.line().connect();
    c.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n" + std::string(h2::preface));
    CHECK(statuses(c.line().rest()) == "200 505");
}

TEST_CASE("malformed requests are refused by a status, or by resetting the stream") {
    struct {
        h2::field_list fields;
        std::string_view seen;
    } const cases[] = {
        {{{":method", "GET"}, {":scheme", "http"}, {":path", "/"}, {":authority", "a"}, {"Upper", "x"}}, "reset 1"},
        {{{":method", "GET"}, {":scheme", "http"}, {":path", "/"}, {"connection", "close"}, {":authority", "a"}},
         "reset 1"},
        {{{":method", "GET"}, {":scheme", "http"}, {":path", "/"}, {":authority", "a"}, {"te", "gzip"}}, "reset 1"},
        {{{":method", "GET"}, {":scheme", "http"}, {":authority", "a"}}, "reset 1"},
        {{{":method", "GET"}, {":method", "GET"}, {":scheme", "http"}, {":path", "/"}, {":authority", "a"}}, "reset 1"},
        {{{":method", "GET"}, {":scheme", "http"}, {":path", "/"}, {":authority", "a"}, {"x", "a\nb"}}, "reset 1"},
        {{{":method", "GET"}, {":scheme", "http"}, {":path", "/"}, {":authority", "a"}, {"content-length", "5"}},
         "reset 1"},
        {{{":method", "GET"}, {":scheme", "ftp"}, {":path", "/"}, {":authority", "a"}}, "400"},
        {{{":method", "GET"}, {":scheme", "http"}, {":path", "/"}, {":authority", "a"}, {"host", "b"}}, "400"},
        {{{":method", "GET"}, {":scheme", "http"}, {":path", "/"}, {":authority", "a"}, {"host", "A"}}, "200"},
        {{{":method", "GET"}, {":scheme", "http"}, {":path", "/"}, {"host", "b"}}, "200"},
        {{{":method", "GET"}, {":scheme", "http"}, {":path", "/"}, {":authority", "a,b"}}, "400"},
        {{{":method", "GET"}, {":scheme", "http"}, {":path", "/%zz"}, {":authority", "a"}}, "400"},
        {{{":method", "GET"}, {":scheme", "http"}, {":path", "*"}, {":authority", "a"}}, "reset 1"},
        {{{":method", "OPTIONS"}, {":scheme", "http"}, {":path", "*"}, {":authority", "a"}}, "204"},
        {{{":method", "GET"}, {":scheme", "http"}, {":path", "/"}, {":authority", "a"}, {"expect", "tea"}}, "417"},
        {{{":method", "CONNECT"}, {":authority", "a:80"}}, "501"},
    };
    made m;
    client c(m.make());
    c.greet();
    std::uint32_t stream = 1;
    for (auto& one : cases) {
        c.send(h2::frame(NGHTTP2_HEADERS, h2::ends_all, stream, h2::literals(one.fields)));
        const auto& got = c.of(stream);
        CAPTURE(h2::literals(one.fields));
        CHECK((got.code >= 0 ? "reset " + std::to_string(got.code) : got.field(":status")) == one.seen);
        stream += 2;
    }
    CHECK(c.goaway == -1);
    c.send(h2::get(stream, "/"));
    CHECK(c.of(stream).body == "hello\n");
}

TEST_CASE("heads over the limits are refused with their status") {
    made m;
    client c(m.make(), {.request_line = 100, .fields = 3, .field_bytes = 200});
    c.greet();
    c.send(h2::get(1, "/" + std::string(120, 'a')) + h2::get(3, "/", {{"a", "1"}, {"b", "2"}, {"c", "3"}, {"d", "4"}}) +
           h2::get(5, "/", {{"a", std::string(300, 'x')}}) + h2::get(7, "/"));
    CHECK(c.of(1).field(":status") == "414");
    CHECK(c.of(3).field(":status") == "431");
    CHECK(c.of(5).field(":status") == "431");
    CHECK(c.of(7).field(":status") == "200");
}

TEST_CASE("frames on closed streams end the connection, unless the server has reset the stream") {
    made m;
    client c(m.make());
    c.greet();
    c.send(h2::get(1, "/"));
    c.of(1);
    c.send(h2::frame(NGHTTP2_HEADERS, h2::ends_all, 1, h2::literals({{"x", "y"}})));
    c.to_end();
    CHECK(c.goaway == NGHTTP2_STREAM_CLOSED);
    c.connect();
    c.greet();
    c.send(h2::head(1, "POST", "/", h2::end_headers));
    CHECK(c.of(1).field(":status") == "405");
    c.send(h2::data(1, "x") + h2::frame(NGHTTP2_HEADERS, h2::ends_all, 1, h2::literals({{"x", "y"}})) +
           h2::get(3, "/"));
    CHECK(c.of(3).body == "hello\n");
    c.send(h2::get(7, "/") + h2::get(5, "/"));
    c.to_end();
    CHECK(c.goaway == NGHTTP2_PROTOCOL_ERROR);
}

// SPDX-License-Identifier: Apache-2.0
#include "http/h2/app.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace apus;
using namespace apus::test;
using h2::client;
using h2::made;
using runtime::protocols;

namespace {

void send_in_bytes(client& c, std::string_view bytes) {
    for (const char byte : bytes) {
        c.send({&byte, 1});
        c.turn(2);
    }
}

}  // namespace

TEST_CASE("an HTTP/2-only listener serves HTTP/2, however the preface is split") {
    made m;
    client c(m.make());
    c.connect(protocols::http2);
    c.greet();
    c.send(h2::get(1, "/"));
    CHECK(c.of(1).body == "hello\n");
    c.connect(protocols::http2);
    send_in_bytes(c, std::string(h2::preface) + h2::settings() + h2::get(1, "/"));
    CHECK(c.of(1).body == "hello\n");
}

TEST_CASE("an HTTP/2-only listener rejects HTTP/1.1 with 505") {
    made m;
    client c(m.make());
    for (const std::string_view request : {
             "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
             "GET / HTTP/1.0\r\n\r\n",
             "GET / HTTP/1.1\r\n\r\n",  // also malformed
             "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
             "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n"
             "\r\n",
         }) {
        c.connect(protocols::http2);
        c.send(request);
        const std::string said = c.line().rest();
        CHECK(statuses(said) == "505");
        CHECK(said.contains("Connection: close\r\n"));
        CHECK(said.contains("this port supports only HTTP/2: send the connection preface"));
        c.connect(protocols::http2);
        for (const char byte : request.substr(0, request.find("\r\n\r\n") + 4)) {
            c.line().send({&byte, 1});
            c.line().turn(2);
        }
        CHECK(statuses(c.line().rest()) == "505");
    }
    CHECK(c.counts().requests == 0);
    CHECK(c.counts().refusals == 10);
}

TEST_CASE("an HTTP/2-only listener answers other bytes with GOAWAY") {
    made m;
    client c(m.make());
    for (const std::string_view bytes :
         {"INVALID CONNECTION PREFACE\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n", "PRIX / HTTP/2.0\r\n\r\n",
          "GET / HTTP/3.0\r\nHost: a\r\n\r\n", "\x16\x03\x01\r\n\r\n"}) {
        c.connect(protocols::http2);
        c.send(bytes);
        c.to_end();
        CAPTURE(bytes);
        CHECK(c.goaway == NGHTTP2_PROTOCOL_ERROR);
    }
    CHECK(c.counts().requests == 0);
}

TEST_CASE("an HTTP/2-only listener times out a partial preface") {
    made m;
    client c(m.make());
    for (const std::string_view bytes : {"", "P", "PRI * HTTP/2.0\r\n", "GET / HTTP/1.1\r\nHo"}) {
        c.connect(protocols::http2);
        c.send(bytes);
        c.line().turn(4);
        c.line().pass(20'000);
        c.line().rest();
        c.line().hang_up();
        c.line().wait_for_close();
    }
    CHECK(c.counts().requests == 0);
}

TEST_CASE("an HTTP/1.1-only listener rejects HTTP/2") {
    made m;
    client c(m.make());
    c.connect(protocols::http1);
    c.send(std::string(h2::preface) + h2::settings() + h2::get(1, "/"));
    CHECK(statuses(c.line().rest()) == "505");
    c.connect(protocols::http1);
    c.send(
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n\r\n"
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    CHECK(statuses(c.line().rest()) == "200 200");  // HTTP/2 is accepted only with prior knowledge
    CHECK(c.counts().h2_connections == 0);
}

// SPDX-License-Identifier: Apache-2.0
#include "http/h2/app.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

// Clients that stop sending or reading before a frame, body or response is complete. The test advances the clock.

using namespace apus;
using namespace apus::test;
using h2::client;
using h2::made;

namespace {

constexpr std::int64_t second = 1000;

std::string padded(std::uint8_t type, std::uint8_t how, std::uint32_t stream, const std::string& payload) {
    constexpr std::uint8_t is_padded = 8;
    return h2::frame(type, static_cast<std::uint8_t>(how | is_padded), stream,
                     h2::number(20, 1) + payload + std::string(20, '\0'));
}

struct begun {
    const char* name;
    std::string frame;  // a frame of which the client sends only a part
    std::string first;  // sent completely, before `frame`
};

std::vector<begun> frames() {
    const std::string block = h2::literals({{":method", "GET"},
                                            {":scheme", "http"},
                                            {":path", "/"},
                                            {":authority", "a"},
                                            {"x-long", std::string(200, 'x')}});
    const std::string posts = h2::head(3, "POST", "/read", h2::end_headers);
    return {
        {"HEADERS", h2::frame(NGHTTP2_HEADERS, h2::ends_all, 5, block), ""},
        {"HEADERS without END_HEADERS", h2::frame(NGHTTP2_HEADERS, h2::end_stream, 5, block), ""},
        {"HEADERS with padding", padded(NGHTTP2_HEADERS, h2::ends_all, 5, block), ""},
        {"CONTINUATION", h2::frame(NGHTTP2_CONTINUATION, h2::end_headers, 5, block.substr(20)),
         h2::frame(NGHTTP2_HEADERS, h2::end_stream, 5, block.substr(0, 20))},
        {"trailers", h2::frame(NGHTTP2_HEADERS, h2::ends_all, 3, h2::literals({{"x-sum", std::string(100, '1')}})),
         posts},
        {"DATA", h2::data(3, std::string(500, 'd')), posts},
        {"DATA with padding", padded(NGHTTP2_DATA, h2::end_stream, 3, std::string(500, 'd')), posts},
        {"DATA that is skipped", h2::data(3, std::string(500, 'd')), h2::head(3, "POST", "/ignored", h2::end_headers)},
        {"SETTINGS",
         h2::settings({{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 70'000}, {NGHTTP2_SETTINGS_MAX_FRAME_SIZE, 20'000}}), ""},
        {"PING", h2::frame(NGHTTP2_PING, h2::no_flags, 0, "12345678"), ""},
        {"WINDOW_UPDATE", h2::window_update(0, 5000), ""},
        {"RST_STREAM", h2::reset(3), posts},
        {"PRIORITY", h2::frame(NGHTTP2_PRIORITY, h2::no_flags, 5, h2::number(0, 5)), ""},
        {"PRIORITY_UPDATE", h2::frame(0x10, h2::no_flags, 0, h2::number(1, 4) + "u=1"), ""},
        {"GOAWAY", h2::frame(NGHTTP2_GOAWAY, h2::no_flags, 0, h2::number(0, 8) + "for no reason"), ""},
        {"a frame of an unknown type", h2::frame(0x77, h2::no_flags, 0, std::string(100, 'u')), ""},
    };
}

// Whether the server closes the connection within this time. The clock advances in steps.
bool ends_within(client& c, std::int64_t most, std::int64_t step = second) {
    for (std::int64_t gone = 0; gone < most && !c.line().ended; gone += step) c.pass(step);
    c.turn();
    return c.line().ended;
}

}  // namespace

TEST_CASE("an incomplete frame has a deadline, wherever it is cut and whatever else is in progress") {
    for (const bool busy : {false, true}) {
        for (const auto& one : frames()) {
            for (const std::size_t part :
                 {std::size_t{1}, std::size_t{8}, std::size_t{9}, std::size_t{11}, one.frame.size() - 1}) {
                CAPTURE(std::string(one.name));
                CAPTURE(part);
                CAPTURE(busy);
                if (part >= one.frame.size()) continue;
                made m;
                client c(m.make(), {.handler = seconds(0), .body_rate = 1});
                c.greet();
                if (busy) c.send(h2::get(1, "/late"));
                c.send(one.first + one.frame.substr(0, part));
                c.turn();
                CHECK(!ends_within(c, 6 * second));
                // a connection whose streams have been closed ends by itself
                CHECK(ends_within(c, 25 * second));
                c.line().hang_up();
                c.line().wait_for_close();
                CHECK(c.counts().deadlines > 0);
            }
        }
    }
}

TEST_CASE("arriving bytes do not extend a frame's deadline, except bytes of a body that is fast enough") {
    const std::string slow = h2::frame(0x77, h2::no_flags, 0, std::string(1000, 'u'));
    made m;
    client c(m.make());
    c.greet();
    for (std::size_t at = 0; at < 20 && !c.line().ended; ++at) c.line().try_send(slow.substr(at, 1)), c.pass(second);
    CHECK(c.goaway == NGHTTP2_ENHANCE_YOUR_CALM);

    m.go = true;
    c.connect();
    c.greet();
    c.send(h2::head(1, "POST", "/read", h2::end_headers));
    const std::string fast = h2::data(1, std::string(16'000, 'f'), h2::end_stream);
    for (std::size_t at = 0; at < fast.size(); at += 800) c.send(fast.substr(at, 800)), c.pass(second);
    CHECK(c.of(1).body == "16000");
}

TEST_CASE("bytes of DATA that is skipped do not extend the frame's deadline") {
    struct {
        const char* name;
        std::string first;
    } const cases[] = {
        // The rate window of the stream ends after 5 s, and the server resets the stream within the frame.
        {"the stream is reset within the frame", h2::head(3, "POST", "/ignored", h2::end_headers)},
        {"the stream was reset before the frame",
         h2::head(3, "POST", "/read", h2::end_headers) + h2::window_update(3, 0x7fff'ffff)},
    };
    for (const auto& one : cases) {
        CAPTURE(std::string(one.name));
        made m;
        client c(m.make(), {.handler = seconds(0)});
        c.greet();
        c.send(h2::get(1, "/late"));  // keeps the connection from ending as idle
        c.send(one.first);
        c.turn();
        const std::string slow = h2::data(3, std::string(1000, 's'));
        c.line().try_send(slow.substr(0, 9));
        std::size_t at = 9;
        for (; at < 40 && !c.line().ended; ++at) c.line().try_send(slow.substr(at, 1)), c.pass(second);
        CHECK(c.goaway == NGHTTP2_ENHANCE_YOUR_CALM);
        CHECK(at < 35);
        m.go = true;
    }
}

TEST_CASE("the rate of each stream is measured separately") {
    struct {
        const char* name;
        std::string first;
        std::uint32_t window;
        std::string seen;  // expected end of stream 1
    } const cases[] = {
        {"a whole body that stops", h2::head(1, "POST", "/echo", h2::end_headers) + h2::data(1, "abc"), 70'000, "408"},
        {"a body that a handler reads", h2::head(1, "POST", "/read", h2::end_headers) + h2::data(1, "abc"), 70'000,
         "408"},
        {"an answer without a window", h2::get(1, "/big/50000"), 0, "reset 8"},
        {"a streamed answer without a window", h2::get(1, "/pieces"), 0, "reset 8"},
        {"a request that goes on behind its answer", h2::head(1, "POST", "/ignored", h2::end_headers), 70'000,
         "reset 0"},
    };
    for (const auto& one : cases) {
        CAPTURE(std::string(one.name));
        made m;
        m.go = true;
        client c(m.make());
        c.greet({{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, one.window}});
        c.send(one.first);
        std::uint32_t stream = 3;
        for (int i = 0; i < 12 && c.streams[1].code < 0 && c.streams[1].field(":status") != "408"; ++i) {
            c.send(h2::head(stream, "POST", "/echo", h2::end_headers) + h2::data(stream, "y", h2::end_stream));
            stream += 2;
            c.pass(second);
        }
        const auto& got = c.streams[1];
        CHECK((got.code >= 0 ? "reset " + std::to_string(got.code) : got.field(":status")) == one.seen);
        CHECK(c.goaway == -1);
    }
}

TEST_CASE("http2: a stalled body is a 408 even if a stall of the server used up the handler's time") {
    made m;
    m.go = true;
    client c(m.make());
    c.greet();
    c.send(h2::head(1, "POST", "/read", h2::end_headers) + h2::data(1, "abc"));
    c.pass(60 * second);
    CHECK(c.streams[1].field(":status") == "408");
}

TEST_CASE("a response to a slow client that is fast enough is not aborted") {
    made m;
    client c(m.make());
    c.greet({{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 500}});
    c.send(h2::get(1, "/big/5000"));
    for (int i = 0; i < 20 && !c.streams[1].ended; ++i) c.pass(second), c.send(h2::window_update(1, 400));
    CHECK(c.of(1).body.size() == 5000);
}

TEST_CASE("only the streams over the limit are refused, whether or not the client knows the limit") {
    made m;
    client c(m.make(), {.h2_streams = 3});
    c.greet();
    for (std::uint32_t n = 0; n < 5; ++n) c.send(h2::get(n * 2 + 1, "/late"));
    CHECK(c.of(9).code == NGHTTP2_REFUSED_STREAM);
    c.send(h2::frame(NGHTTP2_SETTINGS, h2::ack, 0) + h2::get(11, "/late"));
    CHECK(c.of(11).code == NGHTTP2_REFUSED_STREAM);
    CHECK(c.streams[5].code == -1);
    CHECK(c.goaway == -1);
    c.send(h2::reset(1) + h2::get(13, "/"));
    CHECK(c.of(13).body == "hello\n");
    m.go = true;
    CHECK(c.of(3).body == "late\n");
    CHECK(c.of(5).body == "late\n");
}

TEST_CASE("repeatedly refused streams end the connection") {
    made m;
    client c(m.make(), {.h2_streams = 1, .h2_resets = 50});
    c.greet();
    c.send(h2::frame(NGHTTP2_SETTINGS, h2::ack, 0));
    for (std::uint32_t n = 0; n < 100 && !c.line().ended; ++n)
        c.line().try_send(h2::get(n * 2 + 1, "/late")), c.turn(1);
    c.to_end();
    CHECK(c.goaway == NGHTTP2_ENHANCE_YOUR_CALM);
    CHECK(c.counts().h2_resets == 1);
}

TEST_CASE("a half-closed client that disconnects cancels its handlers") {
    made m;
    client c(m.make(), {.handler = seconds(0)}, over::tcp);
    c.greet();
    c.send(h2::get(1, "/late"));
    c.turn();
    c.line().half_close();
    c.pass(20 * second);
    CHECK(m.cancelled == 0);
    c.line().reset();
    c.pass(6 * second);
    CHECK(m.cancelled == 1);
    c.line().wait_for_close();
}

// SPDX-License-Identifier: Apache-2.0
#include "outbound/h2/session.hpp"

#include "outbound/h2/one_stream.hpp"

using namespace apus;
using namespace apus::test::h2wire;

namespace {

struct violation {
    std::string bytes;
    const char* line;   // result of the first stream
    const char* frame;  // last frame to the server
};

const std::string h200 = head(1, {{":status", "200"}});

// The server has sent SETTINGS; streams 1 and 3 are open.
const violation of_connection[] = {
    {frame(push_type, end_headers, 1, number(2, 4) + literals({{":method", "GET"}})),
     VIOLATES "PUSH_PROMISE although push is disabled", "GOAWAY:1"},
    {frame(data_type, no_flags, 5, "x"), VIOLATES "DATA on an idle stream", "GOAWAY:1"},
    {frame(data_type, no_flags, 2, "x"), VIOLATES "DATA on an idle stream", "GOAWAY:1"},
    {head(5, {{":status", "200"}}), VIOLATES "HEADERS on an idle stream", "GOAWAY:1"},
    {head(2, {{":status", "200"}}), VIOLATES "HEADERS on an idle stream", "GOAWAY:1"},
    {reset(5, 8), VIOLATES "RST_STREAM on an idle stream", "GOAWAY:1"},
    {window_update(5, 1), VIOLATES "WINDOW_UPDATE on an idle stream", "GOAWAY:1"},
    {window_update(1, 0), VIOLATES "WINDOW_UPDATE by 0 bytes", "GOAWAY:1"},
    {window_update(0, 0), VIOLATES "WINDOW_UPDATE by 0 bytes", "GOAWAY:1"},
    {window_update(0, 0x7fffffff), VIOLATES "WINDOW_UPDATE makes the window of the connection too large", "GOAWAY:3"},
    {window_update(1, 0x7fff0000) + settings({{4, 0x7fffffff}}),
     VIOLATES "SETTINGS_INITIAL_WINDOW_SIZE makes a window too large", "GOAWAY:3"},
    {settings({{4, 0x80000000}}), VIOLATES "a setting has an invalid value", "GOAWAY:3"},
    {settings({{2, 1}}), VIOLATES "a setting has an invalid value", "GOAWAY:1"},
    {settings({{5, 100}}), VIOLATES "a setting has an invalid value", "GOAWAY:1"},
    {frame(settings_type, ack, 0) + frame(settings_type, ack, 0), VIOLATES "unexpected acknowledgement of SETTINGS",
     "GOAWAY:1"},
    {frame(settings_type, no_flags, 0, "12345"), VIOLATES "the size or the stream of a frame is invalid", "GOAWAY:6"},
    {frame(settings_type, no_flags, 1), VIOLATES "the size or the stream of a frame is invalid", "GOAWAY:1"},
    {frame(ping_type, no_flags, 0, "1234567"), VIOLATES "the size or the stream of a frame is invalid", "GOAWAY:6"},
    {frame(goaway_type, no_flags, 0, "1"), VIOLATES "the size or the stream of a frame is invalid", "GOAWAY:6"},
    {frame(reset_type, no_flags, 1, "1"), VIOLATES "the size or the stream of a frame is invalid", "GOAWAY:6"},
    {number(16'385, 3) + number(0, 6), VIOLATES "a frame is larger than SETTINGS_MAX_FRAME_SIZE", "GOAWAY:6"},
    {h200 + frame(data_type, padded, 1,
                  "\x05"
                  "abc"),
     VIOLATES "the padding of a frame is longer than the frame", "GOAWAY:1"},
    {frame(headers_type, end_headers | padded, 1,
           "\x05"
           "abc"),
     VIOLATES "the padding or priority of HEADERS is invalid", "GOAWAY:1"},
    {frame(continuation_type, end_headers, 1), VIOLATES "the frames of a header block are not contiguous", "GOAWAY:1"},
    {frame(headers_type, no_flags, 1) + ok(3, "x"), VIOLATES "the frames of a header block are not contiguous",
     "GOAWAY:1"},
    {frame(headers_type, no_flags, 1) + frame(continuation_type, no_flags, 3),
     VIOLATES "the frames of a header block are not contiguous", "GOAWAY:1"},
    {frame(headers_type, no_flags, 1) + many(frame(continuation_type, no_flags, 1), 9),
     VIOLATES "a header block has too many CONTINUATION frames", "GOAWAY:11"},
    {many(frame(ping_type, no_flags, 0, "12345678"), 1'100), VIOLATES "too many frames without effect", "GOAWAY:11"},
    {many(settings(), 1'100), VIOLATES "too many frames without effect", "GOAWAY:11"},
    {h200 + many(data(1, ""), 1'100), VIOLATES "too many frames without effect", "GOAWAY:11"},
    {many(window_update(1, 1), 1'100), VIOLATES "too many frames without effect", "GOAWAY:11"},
    {many(frame(priority_type, no_flags, 1, "12345"), 1'100), VIOLATES "too many frames without effect", "GOAWAY:11"},
    {many(frame(200, no_flags, 1, "12345"), 1'100), VIOLATES "too many frames without effect", "GOAWAY:11"},
    {ok(3, "x") + many(reset(3, 8), 1'100), VIOLATES "too many frames without effect", "GOAWAY:11"},
    {frame(headers_type, end_headers, 1, "\xff\xff\xff\xff\xff\xff"),
     VIOLATES "an integer in a header block is too large", "GOAWAY:9"},
    {frame(headers_type, end_headers, 1, "\xbe"), VIOLATES "a header block refers to an index that neither table has",
     "GOAWAY:9"},
    {frame(headers_type, end_headers, 1,
           std::string("\0\x05"
                       "ab",
                       4)),
     VIOLATES "a header block ends within a field", "GOAWAY:9"},
};

// Violations that end only their stream.
const violation of_stream[] = {
    {data(1, "x"), INVALID "DATA before the head", "RST_STREAM:1:1"},
    {window_update(1, 0x7fffffff), INVALID "WINDOW_UPDATE makes the window of a stream too large", "RST_STREAM:1:3"},
    {head(1, {{":status", "200"}, {"content-length", "2"}}) + data(1, "abc"),
     INVALID "its body is longer than Content-Length", "RST_STREAM:1:1"},
    {head(1, {{":status", "200"}, {"content-length", "2"}}) + data(1, "a", end_stream),
     INVALID "its body is shorter than Content-Length", "RST_STREAM:1:1"},
    {head(1, {{":status", "200"}, {"content-length", "2"}}, ends_all),
     INVALID "its body is shorter than Content-Length", "RST_STREAM:1:1"},
    {head(1, {{":status", "204"}}) + data(1, "a", end_stream), INVALID "a body after HEAD, or with status 204 or 304",
     "RST_STREAM:1:1"},
    {h200 + many(data(1, std::string(16'384, 'x')), 16) + data(1, "x"),
     "error the upstream's response exceeds the window of its stream", "RST_STREAM:1:3"},
    {reset(1, 8), "error the upstream reset the request: CANCEL", ""},
    {reset(1, 13), "error the upstream reset the request: HTTP_1_1_REQUIRED", ""},
    {reset(1, 99), "error the upstream reset the request: error 99", ""},
    {reset(1, 7), "error the upstream refused the request: REFUSED_STREAM", ""},
    {h200 + reset(1, 2), "error the upstream reset the request: INTERNAL_ERROR", ""},
};

std::string last_of(const std::string& frames) { return frames.substr(frames.rfind(' ') + 1); }

// Sends the bytes of each violation in pieces of several sizes, checks the result of the first stream, and calls
// `check`.
template <std::size_t N, class F>
void replay(const violation (&all)[N], F check) {
    for (const auto& v : all) {
        for (const std::size_t piece : piece_sizes) {
            rig r(2);
            r.take();
            r.say(v.bytes, piece);
            CAPTURE(v.line);
            CHECK(r.line() == v.line);
            check(r, v);
        }
    }
}

}  // namespace

TEST_CASE("HTTP/2 client: violations by the server end the connection with a specific error") {
    replay(of_connection, [](rig& r, const violation& v) {
        REQUIRE(r.s.failure());
        CHECK(r.s.available() == 0);
        CHECK(last_of(r.take()) == v.frame);
        r.say(ok(3, "later"));
        CHECK(r.take() == "");
    });
}

TEST_CASE("HTTP/2 client: other violations end only their stream") {
    replay(of_stream, [](rig& r, const violation& v) {
        CHECK_FALSE(r.s.failure());
        CHECK(last_of(r.take()) == v.frame);
        r.say(ok(3, "fine"));
        CHECK(r.line(1) == "200 fine");
    });
}

TEST_CASE("HTTP/2 client: the first frame must be SETTINGS") {
    for (const auto& first : {ok(1, "x"), frame(ping_type, no_flags, 0, "12345678"), frame(settings_type, ack, 0),
                              std::string("HTTP/1.1 400 Bad Request\r\n\r\n")}) {
        rig r(1, false);
        r.say(first);
        REQUIRE(r.s.failure());
    }
}

TEST_CASE("HTTP/2 client: DATA after the end of a response ends the connection") {
    rig r(2);
    r.say(ok(1, "x") + data(1, "y"));
    REQUIRE(r.s.failure());
    CHECK(r.s.failure()->detail() == "the upstream violates HTTP/2: DATA after the end of a response");
}

TEST_CASE("HTTP/2 client: PING is answered, unknown frames and settings are ignored, padding is returned") {
    rig r(1);
    r.take();
    r.say(frame(ping_type, no_flags, 0, "12345678") + frame(99, 0xff, 7, "unknown") + settings({{99, 1}}) +
          frame(ping_type, ack, 0, "12345678"));
    CHECK(r.take() == "PING:ack SETTINGS:ack");
    r.say(head(1, {{":status", "200"}}) + frame(data_type, padded | end_stream, 1,
                                                std::string("\x03"
                                                            "abc\0\0\0",
                                                            7)));
    CHECK(r.line() == "200 abc");
}

TEST_CASE("HTTP/2 client: requests and bodies refill the budget of frames without effect") {
    rig r(0);
    r.say(settings({{3, 1'000}}));
    for (std::uint32_t id = 1; id < 4'000; id += 2) {
        auto& a = r.open(false, "POST");
        r.s.send(a, "small");
        r.s.send_end(a);
        r.write();
        r.say(window_update(0, 5) + window_update(id, 5) + ok(id, "x"));
    }
    CHECK_FALSE(r.s.failure());
}

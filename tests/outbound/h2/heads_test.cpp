// SPDX-License-Identifier: Apache-2.0
#include "outbound/h2/session.hpp"

#include "outbound/h2/one_stream.hpp"

using namespace apus;
using namespace apus::test::h2wire;

namespace {

struct head_row {
    std::string bytes;
    const char* line;
};

const std::string status = literals({{":status", "200"}});
const std::string early = head(1, {{":status", "103"}, {"link", "x"}});
const std::string end = data(1, "", end_stream);

// A dynamic table entry of 2,000 bytes, then many references to it: about 8 MB of fields in 4 KB.
std::string bomb() {
    std::string block = status + std::string("\x40\x01x\x7f\xd1\x0e", 6) + std::string(2'000, 'x');
    return frame(headers_type, ends_all, 1, block + std::string(4'000, '\xbe'));
}

const head_row heads[] = {
    {head(1, {{":status", "200"}}, ends_all), "200 "},
    {early + early + head(1, {{":status", "200"}}, ends_all), "200 "},
    {head(1, {{":status", "100"}}) + ok(1, "x"), "200 x"},
    {many(early, 16) + ok(1, "x"), "200 x"},
    {many(early, 17), "error the upstream sent too many interim responses"},
    {head(1, {{":status", "103"}}, ends_all), INVALID "interim response with END_STREAM"},
    {head(1, {{":status", "101"}}), INVALID "invalid :status: expected a code from 100 to 599"},
    {head(1, {{":status", "600"}}), INVALID "invalid :status: expected a code from 100 to 599"},
    {head(1, {{":status", "20"}}), INVALID "invalid :status: expected a code from 100 to 599"},
    {head(1, {{":status", "2x0"}}), INVALID "invalid :status: expected a code from 100 to 599"},
    {head(1, {{"a", "b"}}, ends_all), INVALID "missing :status"},
    {head(1, {}, ends_all), INVALID "missing :status"},
    {head(1, {{"a", "b"}, {":status", "200"}}), INVALID ":status follows another field"},
    {head(1, {{":status", "200"}, {":status", "200"}}), INVALID "duplicate :status"},
    {head(1, {{":status", "200"}, {":path", "/"}}), INVALID "unexpected pseudo-header field"},
    {head(1, {{":status", "200"}, {"Upper", "x"}}), INVALID "malformed field name or value"},
    {head(1, {{":status", "200"}, {"a b", "x"}}), INVALID "malformed field name or value"},
    {head(1, {{":status", "200"}, {"", "x"}}), INVALID "malformed field name or value"},
    {head(1, {{":status", "200"}, {"a", "x\r\ny"}}), INVALID "malformed field name or value"},
    {head(1, {{":status", "200"}, {"a", " x"}}), INVALID "malformed field name or value"},
    {head(1, {{":status", "200"}, {"connection", "close"}}), INVALID "connection-specific field of HTTP/1.1"},
    {head(1, {{":status", "200"}, {"transfer-encoding", "chunked"}}), INVALID "connection-specific field of HTTP/1.1"},
    {head(1, {{":status", "200"}, {"keep-alive", "x"}}), INVALID "connection-specific field of HTTP/1.1"},
    {head(1, {{":status", "200"}, {"content-length", "2"}, {"content-length", "2"}}),
     INVALID "duplicate Content-Length header"},
    {head(1, {{":status", "200"}, {"content-length", "-2"}}), INVALID "invalid Content-Length header"},
    {head(1, {{":status", "200"}, {"content-length", "99999999999999999999"}}),
     INVALID "invalid Content-Length header"},
    {frame(headers_type, no_flags, 1, status + literals({{"a", std::string(10'000, 'x')}})) +
         frame(continuation_type, end_headers, 1, literals({{"b", std::string(7'000, 'x')}})),
     INVALID "the fields have too many bytes"},
    {frame(headers_type, end_headers, 1, status + many(literals({{"a", "b"}}), 101)),
     INVALID "there are too many fields"},
    {head(1, {{":status", "200"}}) + data(1, "x") + head(1, {{"sum", "1"}}, ends_all), "200 x"},
    {head(1, {{":status", "200"}}) + head(1, {{"sum", "1"}}), INVALID "trailers without END_STREAM"},
    {head(1, {{":status", "200"}}) + head(1, {{":status", "200"}}, ends_all), INVALID "unexpected pseudo-header field"},
    {head(1, {{":status", "200"}}) + head(1, {{"Upper", "1"}}, ends_all), INVALID "malformed field name or value"},
    {head(1, {{":status", "200"}}) + frame(headers_type, ends_all, 1, many(literals({{"a", "b"}}), 101)),
     INVALID "there are too many fields"},
    {head(1, {{":status", "304"}, {"content-length", "5"}}, ends_all), "304 "},
    {head(1, {{":status", "204"}, {"content-length", "5"}}) + end, "204 "},
    {frame(headers_type, no_flags, 1, status.substr(0, 3)) +
         frame(continuation_type, end_headers, 1, status.substr(3)) + end,
     "200 "},
    {bomb(), VIOLATES "a header list is far larger than announced"},
};

}  // namespace

TEST_CASE("HTTP/2 client: valid and malformed heads and trailers") {
    for (const auto& h : heads) {
        for (const std::size_t piece : piece_sizes) {
            rig r(2);
            r.say(h.bytes, piece);
            CAPTURE(h.line);
            CHECK(r.line() == h.line);
            if (r.s.failure()) continue;
            r.say(ok(3, "fine"));
            CHECK(r.line(1) == "200 fine");
        }
    }
}

TEST_CASE("HTTP/2 client: the HPACK table stays in sync while a malformed response is skipped") {
    rig r(2);
    const std::string adds = std::string("\x40\x01x\x01y", 5);  // adds x: y
    r.say(frame(headers_type, ends_all, 1, adds + status) + frame(headers_type, ends_all, 3, status + "\xbe"));
    CHECK(r.line(0) == INVALID ":status follows another field");
    CHECK(r.line(1) == "200 ");
    CHECK(r.all[1]->head.field("x") == "y");
}

TEST_CASE("HTTP/2 client: responses to HEAD have no body") {
    rig r(0);
    r.open(true, "HEAD");
    r.say(head(1, {{":status", "200"}, {"content-length", "5"}}, ends_all));
    CHECK(r.line() == "200 ");
    CHECK(r.all[0]->head.field("content-length") == "5");
}

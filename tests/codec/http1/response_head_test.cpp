// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/response_head.hpp"

#include "codec/http1/head_reading.hpp"
#include "codec/http1/refusals.hpp"
#include "support/page_end.hpp"

#include <string>

using namespace apus;
using namespace apus::codec::http1;
using codec::outcome;

namespace {

std::string describe(const response_head& head, const char* bytes) {
    const char* framings[] = {"none", "sized", "chunked", "until close"};
    std::string line =
        std::to_string(head.status) + " '" + std::string(head.reason.in(bytes)) + "' 1." + std::to_string(head.minor);
    line += std::string(head.keep_alive ? " keep " : " close ") + framings[static_cast<int>(body_of(head, false))];
    if (head.body == framing::sized) line += ":" + std::to_string(head.content_length);
    return line;
}

struct seen {
    outcome state;
    const codec::refusal* why;
    std::size_t used;
    std::string says;
};

seen read_placed(std::string_view bytes, const head_limits& limits) {
    response_head head;
    const auto read = read_response_head(bytes, limits, head);
    return {read.state, read.why, read.used,
            read.state == outcome::done ? describe(head, bytes.data()) : std::string()};
}

/// Parses `bytes` at the end of a page, then each prefix.
seen read(std::string_view bytes, const head_limits& limits = test::usual_limits) {
    static test::page_end room(128 * 1024);
    const seen whole = read_placed(room.place(bytes), limits);
    bool decided = false;
    for (std::size_t n = 0; n < bytes.size(); n += n < 2048 || bytes.size() - n < 64 ? 1 : 61) {
        const seen cut = read_placed(room.place(bytes.substr(0, n)), limits);
        CHECK_MESSAGE((cut.state != outcome::partial || !decided), "partial again at ", n, " of ", bytes);
        decided = cut.state != outcome::partial;
        if (decided)
            CHECK_MESSAGE((cut.state == whole.state && cut.why == whole.why && cut.says == whole.says),
                          "decided otherwise at ", n, " of ", bytes);
    }
    return whole;
}

struct accepted {
    std::string_view bytes;
    std::string_view says;
};

constexpr accepted heads[] = {
    {"HTTP/1.1 200 OK\r\n\r\n", "200 'OK' 1.1 keep until close"},
    {"HTTP/1.1 200 \r\ncontent-length: 5\r\n\r\n", "200 '' 1.1 keep sized:5"},
    {"HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", "200 '' 1.1 keep sized:0"},
    {"HTTP/1.1 404 Not  Found\xc3\xa9\t\r\ntransfer-encoding: Chunked\r\n\r\n",
     "404 'Not  Found\xc3\xa9\t' 1.1 keep chunked"},
    {"HTTP/1.0 200 OK\r\n\r\n", "200 'OK' 1.0 close until close"},
    {"HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 1\r\n\r\n", "200 'OK' 1.0 keep sized:1"},
    {"HTTP/1.7 200 OK\r\nConnection: x, close\r\n\r\n", "200 'OK' 1.1 close until close"},
    {"HTTP/1.1 100 Continue\r\n\r\n", "100 'Continue' 1.1 keep none"},
    {"HTTP/1.1 204 No Content\r\n\r\n", "204 'No Content' 1.1 keep none"},
    {"HTTP/1.1 304 Not Modified\r\ncontent-length: 7\r\n\r\n", "304 'Not Modified' 1.1 keep none:7"},
    {"HTTP/1.1 599 x\r\ncontent-length: 9223372036854775807\r\n\r\n", "599 'x' 1.1 keep sized:9223372036854775807"},
};

struct refused {
    std::string_view bytes;
    const codec::refusal* why;
};

#define OK "HTTP/1.1 200 OK\r\n"
constexpr refused no_heads[] = {
    {"\r\nHTTP/1.1 200 OK\r\n\r\n", &refusals::status_line_malformed},
    {"http/1.1 200 OK\r\n\r\n", &refusals::status_line_malformed},
    {"HTTP/1.1  200 OK\r\n\r\n", &refusals::status_line_malformed},
    {"HTTP/1.1 20 OK\r\n\r\n", &refusals::status_line_malformed},
    {"HTTP/1.1 2000 OK\r\n\r\n", &refusals::status_line_malformed},
    {"HTTP/1.1 099 OK\r\n\r\n", &refusals::status_line_malformed},
    {"HTTP/1.1 600 OK\r\n\r\n", &refusals::status_line_malformed},
    {"HTTP/1.1 -20 OK\r\n\r\n", &refusals::status_line_malformed},
    {"HTTP/11 200 OK\r\n\r\n", &refusals::status_line_malformed},
    {"ICY 200 OK\r\n\r\n", &refusals::status_line_malformed},
    {"HTTP/2.0 200 OK\r\n\r\n", &refusals::version_unsupported},
    {"HTTP/0.9 200 OK\r\n\r\n", &refusals::version_unsupported},
    {"HTTP/1.1 200 OK\n\r\n", &refusals::bare_lf},
    {"HTTP/1.1 200 OK\rX\n\r\n", &refusals::bare_cr},
    {OK "a: b\n\r\n", &refusals::bare_lf},
    {OK "a: b\r\n c\r\n\r\n", &refusals::folded_line},
    {OK " a: b\r\n\r\n", &refusals::folded_line},
    {OK "a : b\r\n\r\n", &refusals::space_before_colon},
    {OK "a b\r\n\r\n", &refusals::space_before_colon},
    {OK "ab\r\n\r\n", &refusals::colon_missing},
    {OK ": b\r\n\r\n", &refusals::name_empty},
    {OK "a: b\x01\r\n\r\n", &refusals::value_byte},
    {OK "content-length: 1\r\ncontent-length: 2\r\n\r\n", &refusals::length_repeated},
    {OK "content-length: 1\r\ncontent-length: 1\r\n\r\n", &refusals::length_repeated},
    {OK "content-length: 1, 1\r\n\r\n", &refusals::length_malformed},
    {OK "content-length: -1\r\n\r\n", &refusals::length_malformed},
    {OK "content-length: 9223372036854775808\r\n\r\n", &refusals::length_too_large},
    {OK "content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n", &refusals::length_and_coding},
    {OK "transfer-encoding: chunked\r\ncontent-length: 1\r\n\r\n", &refusals::length_and_coding},
    {OK "transfer-encoding: gzip, chunked\r\n\r\n", &refusals::coding_unknown},
    {OK "transfer-encoding: chunked, chunked\r\n\r\n", &refusals::coding_not_last},
    {OK "transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n", &refusals::coding_repeated},
    {"HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", &refusals::coding_in_http10},
};
#undef OK

}  // namespace

TEST_CASE("valid response heads are parsed") {
    for (const auto& [bytes, says] : heads) {
        CAPTURE(bytes);
        const auto got = read(bytes);
        CHECK(got.state == outcome::done);
        CHECK(got.says == says);
        CHECK(got.used == bytes.size());
    }
}

TEST_CASE("rejected response heads have a reason") {
    for (const auto& [bytes, why] : no_heads) {
        CAPTURE(bytes);
        const auto got = read(bytes);
        CHECK(got.state == outcome::bad);
        CHECK((got.why ? got.why->reason : "none") == std::string(why->reason));
    }
    CHECK(read(std::string_view("HTTP/1.1 200 O\0K\r\n\r\n", 20)).why == &refusals::reason_byte);
}

TEST_CASE("a response to HEAD has no body, whatever its fields") {
    response_head head;
    REQUIRE(read_response_head("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n", test::usual_limits, head).state ==
            outcome::done);
    CHECK(body_of(head, true) == framing::none);
    CHECK(body_of(head, false) == framing::sized);
}

TEST_CASE("response heads are limited") {
    const head_limits small{40, 3, 60};
    const std::string status = "HTTP/1.1 200 ";
    CHECK(read(status + std::string(40 - 15, 'x') + "\r\n\r\n", small).why == nullptr);
    CHECK(read(status + std::string(40 - 14, 'x') + "\r\n\r\n", small).why == &refusals::status_line_too_long);
    const std::string three = "HTTP/1.1 200 OK\r\na: b\r\na: b\r\na: b\r\n";
    CHECK(read(three + "\r\n", small).state == outcome::done);
    CHECK(read(three + "a: b\r\n\r\n", small).why == &refusals::too_many_fields);
    CHECK(read("HTTP/1.1 200 OK\r\na: " + std::string(60, 'x') + "\r\n\r\n", small).why == &refusals::fields_too_long);
}

// SPDX-License-Identifier: Apache-2.0
#include "outbound/h1_exchange.hpp"

#include "outbound/servers.hpp"

#include <string>

using namespace apus;
using namespace apus::test;

namespace {

struct row {
    std::string answer;
    const char* line;
    bool kept;  // whether the connection serves the next request
};

#define OK "HTTP/1.1 200 OK\r\n"
#define CHUNKED OK "transfer-encoding: chunked\r\n\r\n"

std::string many(const char* text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

const row answers[] = {
    {OK "content-length: 2\r\n\r\nhi", "200 hi", true},
    {OK "content-length: 0\r\n\r\n", "200 ", true},
    {CHUNKED "2\r\nhi\r\n0\r\n\r\n", "200 hi", true},
    {CHUNKED "2;a=b\r\nhi\r\n0\r\nx: y\r\n\r\n", "200 hi", true},
    {"HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n", "204 ", true},
    {"HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n", "304 ", true},
    {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n" OK "content-length: 1\r\n\r\nx",
     "200 x", true},
    {many("HTTP/1.1 103 Early Hints\r\n\r\n", 16) + OK "content-length: 1\r\n\r\nx", "200 x", true},
    {OK "content-length: 2\r\nconnection: close\r\n\r\nhi", "200 hi", false},
    {"HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nhi", "200 hi", false},
    // Bytes after the end of the response: the response is complete, but the connection is not reused.
    {OK "content-length: 2\r\n\r\nhi" OK "content-length: 4\r\n\r\nevil", "200 hi", false},
    {CHUNKED "2\r\nhi\r\n0\r\n\r\nx", "200 hi", false},
    {"HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\nextra", "204 ", false},
    {many("HTTP/1.1 103 Early Hints\r\n\r\n", 17), "error 502 the upstream sent too many interim responses", false},
    {"HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n",
     "error 502 the upstream switched protocols without an upgrade request", false},
    {OK "a: b\r\n c\r\n\r\n", "error 502 invalid response from the upstream: a field line begins with white space",
     false},
    {"HTTP/1.1 200 OK\na: b\n\n", "error 502 invalid response from the upstream: a line ends in LF without CR", false},
    {OK "content-length: 1\r\ncontent-length: 2\r\n\r\nx",
     "error 502 invalid response from the upstream: duplicate Content-Length header", false},
    {OK "content-length: 1\r\ntransfer-encoding: chunked\r\n\r\nx",
     "error 502 invalid response from the upstream: Transfer-Encoding and Content-Length must not be sent together",
     false},
    {OK "transfer-encoding: gzip\r\n\r\nx",
     "error 502 invalid response from the upstream: unsupported transfer coding: only chunked is supported", false},
    {CHUNKED "xyz\r\n", "error 502 invalid response from the upstream: a chunk has no size", false},
    {CHUNKED "2\r\nhix", "error 502 invalid response from the upstream: the data of a chunk is not followed by CRLF",
     false},
    {CHUNKED "2\nhi", "error 502 invalid response from the upstream: a line ends in LF without CR", false},
    {CHUNKED "8000000000000000\r\n", "error 502 invalid response from the upstream: a chunk size is over 2^63-1",
     false},
    {CHUNKED "0\r\nbad trailer\r\n\r\n",
     "error 502 invalid response from the upstream: white space between a field name and its colon", false},
    {OK + std::string("a: ") + std::string(20'000, 'x') + "\r\n\r\n",
     "error 502 invalid response from the upstream: the fields have too many bytes", false},
    {OK + many("a: b\r\n", 101) + "\r\n", "error 502 invalid response from the upstream: there are too many fields",
     false},
    {"HTTP/1.1 200 " + std::string(9000, 'x'),
     "error 502 invalid response from the upstream: the status line is too long", false},
    {"SSH-2.0-OpenSSH\r\n",
     "error 502 invalid response from the upstream: malformed status line: expected HTTP/, a version, a space and a "
     "code from 100 to 599",
     false},
};

// The server sends these bytes, and then closes the connection.
const row cut[] = {
    {OK "\r\nuntil the end", "200 until the end", false},
    {"HTTP/1.0 200 OK\r\n\r\n", "200 ", false},
    {"", "error 502 the upstream closed the connection without a response", false},
    {"HTTP/1.1 200 O", "error 502 the upstream's response ends within its head", false},
    {OK "content-length: 9\r\n\r\nhalf", "error 502 the upstream's response is truncated", false},
    {CHUNKED "9\r\nhalf", "error 502 the upstream's response is truncated", false},
    {CHUNKED "4\r\nhalf\r\n", "error 502 the upstream's response is truncated", false},
    {CHUNKED "4\r\nhalf\r\n0\r\n", "error 502 the upstream's response is truncated", false},
};

#undef OK
#undef CHUNKED

std::vector<std::string> byte_by_byte(const std::string& text) {
    std::vector<std::string> all;
    for (char c : text) all.emplace_back(1, c);
    return all;
}

void check(const row& r, scripted_reply first) {
    own_loop on;
    scripted_server up(on, {std::move(first), scripted_reply("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnext")});
    client http;
    CAPTURE(r.answer.substr(0, 200));
    CHECK(line_of(on.wait(http.get(up.url()))) == r.line);
    for (int i = 0; i < 3; ++i) on.loop.turn(0);
    CHECK(line_of(on.wait(http.get(up.url()))) == "200 next");
    CHECK(up.accepts == (r.kept ? 1 : 2));
}

}  // namespace

TEST_CASE("valid and invalid responses: each error has a message and closes its connection") {
    for (const row& r : answers) check(r, scripted_reply(r.answer));
}

TEST_CASE("valid and invalid responses, byte by byte") {
    for (const row& r : answers)
        if (r.answer.size() < 2000) check(r, scripted_reply(byte_by_byte(r.answer)));
}

TEST_CASE("responses delimited by the end of the connection") {
    for (const row& r : cut) check(r, scripted_reply(r.answer, true));
}

TEST_CASE("an idle connection with unexpected bytes is closed") {
    own_loop on;
    scripted_server up(on, {scripted_reply("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"),
                            scripted_reply("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnext")});
    client http;
    CHECK(line_of(on.wait(http.get(up.url()))) == "200 hi");
    up.say("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil");
    for (int i = 0; i < 5; ++i) on.loop.turn(1);
    CHECK(line_of(on.wait(http.get(up.url()))) == "200 next");
    CHECK(up.accepts == 2);
}

TEST_CASE("request heads conform to RFC 9112") {
    const auto to = *outbound::url::parse("http://a.test:81/x?y");
    client_request plain("GET", "");
    CHECK(outbound::head_of(plain.asked(), to) == "GET /x?y HTTP/1.1\r\nHost: a.test:81\r\nUser-Agent: apus\r\n\r\n");
    client_request post("POST", "");
    CHECK(outbound::head_of(post.asked(), to) ==
          "POST /x?y HTTP/1.1\r\nHost: a.test:81\r\nUser-Agent: apus\r\nContent-Length: 0\r\n\r\n");
    client_request full("PUT", "");
    full.body("abc", "text/plain").expect_continue().header("host", "b").header("user-agent", "c");
    CHECK(outbound::head_of(full.asked(), to) ==
          "PUT /x?y HTTP/1.1\r\nhost: b\r\nuser-agent: c\r\nContent-Type: text/plain\r\nContent-Length: 3\r\nExpect: "
          "100-continue\r\n\r\n");
}

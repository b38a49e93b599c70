// SPDX-License-Identifier: Apache-2.0
#include "server/response_reader.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <string_view>

using apus::server::response_reader;

namespace {

// Returns all responses in these bytes: "200 body+trailer|", and "..." if bytes are left over.
std::string seen(std::string_view bytes, std::size_t cut, bool ends, bool to_head) {
    response_reader reader;
    std::string all;
    auto read = [&] {
        while (auto a = reader.next(to_head)) {
            all += std::to_string(a->status) + " " + a->body;
            if (!a->trailer.empty()) all += "+" + a->trailer.substr(0, a->trailer.size() - 2);
            all += '|';
            if (ends && reader.empty()) break;
        }
    };
    reader.append(bytes.substr(0, cut));
    read();
    reader.append(bytes.substr(cut));
    if (ends) reader.end();
    read();
    return reader.empty() ? all : all + "...";
}

}  // namespace

TEST_CASE("responses are parsed, however the bytes are split") {
    const struct {
        std::string_view bytes, seen;
        bool ends = false, to_head = false;
    } cases[] = {
        {"", ""},
        {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab", "200 ab|"},
        {"HTTP/1.1 200 OK\r\ncontent-LENGTH:2\r\n\r\nab", "200 ab|"},
        {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "200 |"},
        {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na", "..."},
        {"HTTP/1.1 200 OK\r\nContent-Le", "..."},
        {"HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 304 Not Modified\r\n\r\n", "204 |304 |"},
        {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "200 |200 |",
         false, true},
        {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", "200 x|"},
        {"HTTP/1.1 100 Continue\r\n\r\n", ""},
        {"HTTP/1.1 101 Switching Protocols\r\n\r\n", "101 |"},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n", "200 abc|"},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nc\r\n0\r\nx-a: b\r\n\r\n", "200 c+x-a: b|"},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nc\r\n", "..."},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n", "200 |204 |"},
        {"HTTP/1.1 200 OK\r\n\r\nto the end", "200 to the end|", true},
        {"HTTP/1.1 200 OK\r\n\r\nto the end", "...", false},
    };
    for (const auto& c : cases) {
        CAPTURE(c.bytes);
        for (std::size_t cut = 0; cut <= c.bytes.size(); ++cut) {
            CAPTURE(cut);
            CHECK(seen(c.bytes, cut, c.ends, c.to_head) == c.seen);
        }
    }
}

TEST_CASE("an invalid response fails the test") {
    for (std::string_view bytes : {"hello\r\n\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1\r\n\r\n",
                                   "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
                                   "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"}) {
        CAPTURE(bytes);
        CHECK_THROWS_AS(seen(bytes, 0, true, false), std::exception);
    }
}

TEST_CASE("fields and trailers are found case-insensitively") {
    response_reader reader;
    reader.append("HTTP/1.1 200 OK\r\nX-A:  b\r\nx-a: c\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-T: u\r\n\r\n");
    auto a = reader.next(false);
    REQUIRE(a);
    CHECK(a->header("x-a") == "b");
    CHECK(a->header("x") == "");
    CHECK(a->header("x-t") == "");
    CHECK(a->trailer_field("x-T") == "u");
}

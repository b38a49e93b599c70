// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/head_reading.hpp"
#include "codec/http1/refusals.hpp"

#include <string>

using namespace apus;
using namespace apus::codec::http1;
using codec::outcome;
using test::read_head;

namespace {

struct accepted {
    std::string_view bytes;
    std::string_view says;
};

constexpr accepted heads[] = {
    {"GET / HTTP/1.0\r\n\r\n", "GET origin path=/ query= host= 1.0 close"},
    {"GET / HTTP/1.7\r\nHost: a\r\n\r\n", "GET origin path=/ query= host=a 1.1 keep"},
    {"\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET origin path=/ query= host=a 1.1 keep"},
    {"\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET origin path=/ query= host=a 1.1 keep"},
};

struct refused {
    std::string_view bytes;
    const codec::refusal* why;
};

#define HEAD "POST / HTTP/1.1\r\nHost: a\r\n"
constexpr refused no_heads[] = {
    {"\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", &refusals::bare_lf},
    {"\rGET / HTTP/1.1\r\nHost: a\r\n\r\n", &refusals::bare_cr},
    {"\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", &refusals::empty_lines},
    {HEAD "\n", &refusals::bare_lf},
    {HEAD "\rX: y\r\n\r\n", &refusals::bare_cr},
    {HEAD "X: y\r\n z\r\n\r\n", &refusals::folded_line},
};
#undef HEAD

std::string line_of(std::size_t size) { return "GET /" + std::string(size - 16, 'a') + " HTTP/1.1\r\n"; }

std::string fields_of(std::size_t count) {
    std::string lines = "Host: a\r\n";
    for (std::size_t i = 1; i < count; ++i) lines += "X: y\r\n";
    return lines;
}

}  // namespace

TEST_CASE("valid request heads are parsed") {
    for (const auto& [bytes, says] : heads) {
        CAPTURE(bytes);
        const auto seen = read_head(bytes);
        CHECK(seen.state == outcome::done);
        CHECK(seen.says == says);
        CHECK(seen.used == bytes.size());
    }
}

TEST_CASE("bytes after a head are not part of it") {
    const std::string_view first = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    const auto seen = read_head(std::string(first) + "GET /next HTTP/1.1\r\nHost: b\r\n\r\n\x01");
    CHECK(seen.used == first.size());
    CHECK(seen.says == "GET origin path=/ query= host=a 1.1 keep");
}

// A tab excludes the fast path for the usual Host line.
TEST_CASE("a host after one space is read as after a tab") {
    for (const std::string host :
         {"a",         "A.b-c9",       "-",        ".",
          "a:80",      "a:65535",      "a:65536",  "a:99999",
          "a:100000",  "a:4294967376", "a:00080",  "a:",
          "a:0",       ":80",          "",         "a_b",
          "a%41",      "a%4",          "[::1]",    "[::1]:80",
          "[::1",      "a:8a",         "a:-1",     "a:80:80",
          "a b",       "a,b",          "a ",       "a:80 \t",
          "a\x01",     "a\rb",         "a@b",      "a/b",
          "a.b.c:1 2", "x:80\n",       "\xc3\xa4", "abcdefghijklmnopqrstuvwxyz-0123456789.example:8443"}) {
        CAPTURE(host);
        for (const std::string line :
             {"GET / HTTP/1.1\r\n", "GET http://x/ HTTP/1.1\r\n", "GET / HTTP/1.0\r\nHost: b\r\n"}) {
            const auto fast = read_head(line + "hOSt: " + host + "\r\n\r\n");
            const auto slow = read_head(line + "hOSt:\t" + host + "\r\n\r\n");
            CHECK(fast.state == slow.state);
            CHECK(fast.why == slow.why);
            CHECK(fast.used == slow.used);
            CHECK(fast.says == slow.says);
        }
    }
    for (const std::uint32_t most : {8U, 9U, 10U}) {  // bytes of `Host: a` with its line end
        CHECK(read_head("GET / HTTP/1.1\r\nHost: a\r\n\r\n", {8192, 100, most}).why ==
              read_head("GET / HTTP/1.1\r\nHost:\ta\r\n\r\n", {8192, 100, most}).why);
    }
}

TEST_CASE("rejected request heads have a reason") {
    for (const auto& [bytes, why] : no_heads) {
        CAPTURE(bytes);
        const auto seen = read_head(bytes);
        CHECK(seen.state == outcome::bad);
        REQUIRE(seen.why != nullptr);
        CHECK(std::string_view(seen.why->reason) == why->reason);
        CHECK(seen.why == why);
    }
}

TEST_CASE("the length of a request line is limited") {
    CHECK(read_head(line_of(8192) + "Host: a\r\n\r\n").state == outcome::done);
    CHECK(read_head(line_of(8193) + "Host: a\r\n\r\n").why == &refusals::request_line_too_long);
    CHECK(read_head(line_of(100'000) + "Host: a\r\n\r\n").why == &refusals::request_line_too_long);
    CHECK(read_head("GET /" + std::string(8187, 'a')).why == &refusals::request_line_too_long);
    CHECK(read_head("GET /" + std::string(8186, 'a')).state == outcome::partial);
    CHECK(read_head(std::string(9000, 'A')).why == &refusals::request_line_too_long);
    CHECK(refusals::request_line_too_long.status == 414);
}

TEST_CASE("the number of fields is limited") {
    const std::string line = "GET / HTTP/1.1\r\n";
    CHECK(read_head(line + fields_of(100) + "\r\n").state == outcome::done);
    CHECK(read_head(line + fields_of(101) + "\r\n").why == &refusals::too_many_fields);
    CHECK(read_head(line + fields_of(128) + "\r\n", {8192, 1000, 16384}).state == outcome::done);
    CHECK(read_head(line + fields_of(129) + "\r\n", {8192, 1000, 16384}).why == &refusals::too_many_fields);
    CHECK(refusals::too_many_fields.status == 431);
}

TEST_CASE("the size of the field section is limited") {
    const std::string line = "GET / HTTP/1.1\r\nHost: a\r\n";
    const auto head_of = [&](std::size_t bytes) { return line + "X: " + std::string(bytes - 9 - 5, 'v') + "\r\n\r\n"; };
    CHECK(read_head(head_of(16384)).state == outcome::done);
    CHECK(read_head(head_of(16385)).why == &refusals::fields_too_long);
    CHECK(read_head(head_of(16386)).why == &refusals::fields_too_long);
    CHECK(read_head(head_of(60'000)).why == &refusals::fields_too_long);
    CHECK(read_head(line + "X: " + std::string(20'000, 'v')).why == &refusals::fields_too_long);
    CHECK(read_head(line + std::string(20'000, 'n')).why == &refusals::fields_too_long);
    CHECK(refusals::fields_too_long.status == 431);
}

TEST_CASE("the largest head within the limits is parsed") {
    const head_limits most{~0U, ~0U, ~0U};
    const std::string name(30'000, 'n');
    const std::string bytes = line_of(32'768) + "Host: a\r\n" + name + ": v\r\n" +
                              "Y: " + std::string(32'768 - 9 - 30'005 - 5, 'w') + "\r\n\r\n";
    const auto seen = read_head(bytes, most);
    CHECK(seen.state == outcome::done);
    CHECK(seen.used == bytes.size());
    request_head head;
    read_request_head(bytes, most, head);
    REQUIRE(head.field_count == 3);
    CHECK(head.fields[1].name.in(bytes.data()) == name);
    CHECK(head.fields[2].value.in(bytes.data()).back() == 'w');
    CHECK(read_head(line_of(32'769) + "Host: a\r\n\r\n", most).why == &refusals::request_line_too_long);
}

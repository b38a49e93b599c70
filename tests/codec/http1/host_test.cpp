// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/host.hpp"
#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>

using apus::codec::http1::host_shape;
using apus::codec::http1::is_ipv6;
using apus::codec::http1::is_local_host;
using apus::codec::http1::shape_of_host;

namespace {

struct host_read {
    std::string_view text;
    host_shape shape;
};

constexpr host_read hosts[] = {
    {"", host_shape::empty},
    {"localhost", host_shape::without_port},
    {"localhost.", host_shape::without_port},
    {"localhost:", host_shape::without_port},
    {"my_app", host_shape::without_port},
    {"a-name-longer-than-one-block.example.com", host_shape::without_port},
    {"a-name-longer-than-one-block.example.com:443", host_shape::with_port},
    {"127.0.0.1:8080", host_shape::with_port},
    {"a:0", host_shape::with_port},
    {"a:65535", host_shape::with_port},
    {"a:0000000080", host_shape::with_port},
    {"a!$&'()*+;=~b", host_shape::without_port},
    {"a%2Cb:80", host_shape::with_port},
    {"[::1]", host_shape::without_port},
    {"[::1]:80", host_shape::with_port},
    {"[v1.a:b]", host_shape::without_port},
    {":80", host_shape::malformed},
    {":", host_shape::malformed},
    {"a:65536", host_shape::malformed},
    {"a:99999999999999999999", host_shape::malformed},
    {"a:8a", host_shape::malformed},
    {"a:-1", host_shape::malformed},
    {"a:80:80", host_shape::malformed},
    {"a, b", host_shape::malformed},
    {"a,b", host_shape::malformed},
    {"a b", host_shape::malformed},
    {"a/b", host_shape::malformed},
    {"a?b", host_shape::malformed},
    {"a#b", host_shape::malformed},
    {"u@a", host_shape::malformed},
    {"a\\b", host_shape::malformed},
    {"a^b", host_shape::malformed},
    {"a%", host_shape::malformed},
    {"a%4", host_shape::malformed},
    {"a%zz", host_shape::malformed},
    {"a\x80", host_shape::malformed},
    {"::1", host_shape::malformed},
    {"[::1", host_shape::malformed},
    {"[]", host_shape::malformed},
    {"[::1]x", host_shape::malformed},
    {"[::1]80", host_shape::malformed},
    {"[::g]", host_shape::malformed},
    {"[127.0.0.1]", host_shape::malformed},
    {"[fe80::1%25eth0]", host_shape::malformed},
    {"[v.a]", host_shape::malformed},
    {"[v1.]", host_shape::malformed},
    {"[v1.a/b]", host_shape::malformed},
    {"a[::1]", host_shape::malformed},
    {"[::1][::1]", host_shape::malformed},
};

constexpr std::string_view addresses[] = {
    "::",
    "::1",
    "1::",
    "1:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:7::",
    "::2:3:4:5:6:7:8",
    "2001:db8::ff00:42:8329",
    "::ffff:192.0.2.1",
    "1:2:3:4:5:6:192.0.2.1",
    "::1.2.3.4",
    "ABCD:ef01::",
    "1:2:3:4:5::7:8",
};

constexpr std::string_view no_addresses[] = {
    "",
    ":",
    ":::",
    "1",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7:",
    ":1:2:3:4:5:6:7:8",
    "1::2::3",
    "12345::",
    "::g",
    "1:2:3:4:5:6:7:8::",
    "::1:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:7:1.2.3.4",
    "::1.2.3",
    "::1.2.3.4.5",
    "::256.1.1.1",
    "::01.2.3.4",
    "::1.2.3.4:1",
    "1.2.3.4",
    "::1..2.3",
    "::1.2.3.",
    "::.1.2.3",
    " ::1",
    "::1 ",
};

}  // namespace

TEST_CASE("hosts are classified by the grammar") {
    apus::test::page_end room(4096);
    for (const auto& [text, shape] : hosts) {
        CAPTURE(text);
        const auto placed = room.place(text);
        CHECK(shape_of_host(placed, {placed.data(), placed.data() + placed.size()}) == shape);

        // Classifies the same text between other bytes, which must not change the result.
        const std::string framed = "aaaaaaaaaaaaaaaaaaaa:" + std::string(text) + ".80aaaaaaaaaaaaaaaaaaaa";
        const auto inside = std::string_view(framed).substr(21, text.size());
        CHECK(shape_of_host(inside, {framed.data(), framed.data() + framed.size()}) == shape);
    }
}

TEST_CASE("IPv6 addresses are distinguished from similar text") {
    for (const auto text : addresses) CHECK_MESSAGE(is_ipv6(text), text);
    for (const auto text : no_addresses) CHECK_MESSAGE(!is_ipv6(text), text);
}

TEST_CASE("a non-digit is found at every position of a port") {
    for (std::size_t digits = 1; digits <= 5; ++digits)
        for (std::size_t at = 0; at < digits; ++at)
            for (unsigned byte = 0; byte < 256; ++byte) {
                std::string text = "a:" + std::string(digits, '1');
                text[2 + at] = static_cast<char>(byte);
                const std::string_view placed = text;
                CAPTURE(text);
                const bool fits = byte >= '0' && byte <= '9' && !(digits == 5 && at == 0 && byte > '6');
                CHECK((shape_of_host(placed, {placed.data(), placed.data() + placed.size()}) ==
                       host_shape::with_port) == fits);
            }
}

TEST_CASE("the port of a host is removed") {
    const std::pair<std::string_view, std::string_view> cases[] = {
        {"a:80", "a"}, {"a", "a"},  {"a:", "a"}, {"[::1]:80", "[::1]"}, {"[::1]", "[::1]"},
        {"::1", ":"},  {":80", ""}, {"", ""},    {"a:b:80", "a:b"},
    };
    for (const auto& [host, name] : cases) {
        CAPTURE(host);
        CHECK(apus::codec::http1::without_port(host) == name);
    }
}

TEST_CASE("hosts that a site cannot resolve to another address are local") {
    for (const auto host : {"localhost", "LocalHost", "shop.localhost", "SHOP.LOCALHOST", "127.0.0.1", "192.168.1.20",
                            "[::1]", "[fe80::1]", "[::ffff:10.0.0.1]"})
        CHECK_MESSAGE(is_local_host(host), host);
    for (const auto host :
         {"", ".localhost", "notlocalhost", "localhost.example", "evil.example", "127.1", "0x7f.1", "127.0.0.01",
          "127.0.0.256", "127.0.0.1.example", "::1", "[::1", "[]", "[localhost]", "[fe80::1%25eth0]"})
        CHECK_MESSAGE(!is_local_host(host), host);
}

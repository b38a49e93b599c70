// SPDX-License-Identifier: Apache-2.0
#include "codec/proxy/header.hpp"

#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <arpa/inet.h>

namespace {

using namespace apus::codec;
using namespace std::string_literals;
using family = proxy::header::family;

// Returns "address port used N", "unsaid used N", "partial", or why the header is rejected.
std::string seen(std::string_view in) {
    static apus::test::page_end room(4096);
    const auto read = proxy::read_header(room.place(in));
    if (read.state == outcome::partial) return "partial";
    if (read.state == outcome::bad) return read.why->reason;
    const std::string used = " used " + std::to_string(read.used);
    if (read.value.of == family::unsaid) return "unsaid" + used;
    if (read.value.of == family::unix_socket) return "unix" + used;
    char text[INET6_ADDRSTRLEN];
    inet_ntop(read.value.of == family::ip4 ? AF_INET : AF_INET6, read.value.address.data(), text, sizeof text);
    return text + (" " + std::to_string(read.value.port)) + used;
}

const std::string magic("\r\n\r\n\0\r\nQUIT\n", 12);

// Returns a version 2 header of command, family and transport, and the bytes after the size.
std::string v2(char command, char kind, const std::string& rest) {
    return magic + command + kind + char(rest.size() >> 8) + char(rest.size() & 255) + rest;
}
const std::string ip4 = "\xc0\0\2\1\xc6\x33\x64\2\x30\x39\1\xbb"s;
const std::string ip6 = "\x20\1\x0d\xb8"s + std::string(11, '\0') + "\1" + std::string(16, '\2') + "\x30\x39\1\xbb";

struct row {
    std::string given, wanted;
};
void check(const std::vector<row>& rows) {
    for (const auto& [given, wanted] : rows) {
        CAPTURE(given);
        CHECK(seen(given) == wanted);
    }
}

}  // namespace

TEST_CASE("PROXY v1 lines contain the client address") {
    check({
        {"PROXY TCP4 192.0.2.1 198.51.100.2 12345 443\r\n", "192.0.2.1 12345 used 45"},
        {"PROXY TCP4 192.0.2.1 198.51.100.2 12345 443\r\nGET / HTTP/1.1\r\n", "192.0.2.1 12345 used 45"},
        {"PROXY TCP4 255.255.255.255 255.255.255.255 65535 65535\r\n", "255.255.255.255 65535 used 56"},
        {"PROXY TCP4 1.2.3.4 5.6.7.8 0 0\r\n", "1.2.3.4 0 used 32"},
        {"PROXY TCP6 2001:db8::1 ::1 1 2\r\n", "2001:db8::1 1 used 32"},
        {"PROXY TCP6 ::ffff:192.0.2.1 ::1 1 2\r\n", "::ffff:192.0.2.1 1 used 37"},
        {"PROXY TCP6 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535\r\n",
         "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 used 104"},
        {"PROXY UNKNOWN\r\n", "unsaid used 15"},
        {"PROXY UNKNOWN ffff::1 anything at all\r\n", "unsaid used 39"},
    });
}

TEST_CASE("hostile PROXY v1 lines") {
    const std::string line = proxy::bad_line.reason, address = proxy::bad_address.reason, port = proxy::bad_port.reason;
    check({
        {"GET / HTTP/1.1\r\n", proxy::no_header.reason},
        {" PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n", proxy::no_header.reason},
        {"proxy TCP4 1.2.3.4 5.6.7.8 1 2\r\n", proxy::no_header.reason},
        {"PROXY\r\n", proxy::no_header.reason},
        {"PROXY \r\n", line},
        {"PROXY \n", line},
        {"PROXY TCP4\r\n", line},
        {"PROXY TCP4 1.2.3.4 5.6.7.8 1\r\n", line},
        {"PROXY TCP4 1.2.3.4 5.6.7.8 1 2 3\r\n", line},
        {"PROXY TCP4 1.2.3.4 5.6.7.8 1 2 \r\n", line},
        {"PROXY TCP4  1.2.3.4 5.6.7.8 1 2\r\n", line},
        {"PROXY TCP4\t1.2.3.4 5.6.7.8 1 2\r\n", line},
        {"PROXY TCP5 1.2.3.4 5.6.7.8 1 2\r\n", line},
        {"PROXY tcp4 1.2.3.4 5.6.7.8 1 2\r\n", line},
        {"PROXY TCP4 1.2.3.4 5.6.7.8 1 2\n", line},
        {"PROXY UNKNOWNS\r\n", line},
        {"PROXY TCP4 1.2.3 5.6.7.8 1 2\r\n", address},
        {"PROXY TCP4 1.2.3.04 5.6.7.8 1 2\r\n", address},
        {"PROXY TCP4 1.2.3.256 5.6.7.8 1 2\r\n", address},
        {"PROXY TCP4 1.2.3.4 host 1 2\r\n", address},
        {"PROXY TCP4 ::1 ::1 1 2\r\n", address},
        {"PROXY TCP6 1.2.3.4 5.6.7.8 1 2\r\n", address},
        {"PROXY TCP6 ::1%lo ::1 1 2\r\n", address},
        {"PROXY TCP6 [::1] ::1 1 2\r\n", address},
        {"PROXY TCP4 1.2.3.4\0 5.6.7.8 1 2\r\n"s, address},
        {"PROXY TCP4 1.2.3.4 5.6.7.8 65536 2\r\n", port},
        {"PROXY TCP4 1.2.3.4 5.6.7.8 01 2\r\n", port},
        {"PROXY TCP4 1.2.3.4 5.6.7.8 -1 2\r\n", port},
        {"PROXY TCP4 1.2.3.4 5.6.7.8 +1 2\r\n", port},
        {"PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\r\n", port},
        {"PROXY UNKNOWN " + std::string(91, 'x') + "\r\n", "unsaid used 107"},
        {"PROXY UNKNOWN " + std::string(92, 'x') + "\r\n", proxy::long_header.reason},
        {"PROXY UNKNOWN " + std::string(92, 'x'), "partial"},
        {"PROXY UNKNOWN " + std::string(93, 'x'), proxy::long_header.reason},
    });
}

TEST_CASE("PROXY v2 headers contain the client address") {
    check({
        {v2('\x21', '\x11', ip4), "192.0.2.1 12345 used 28"},
        {v2('\x21', '\x11', ip4) + "GET", "192.0.2.1 12345 used 28"},
        {v2('\x21', '\x21', ip6), "2001:db8::1 12345 used 52"},
        {v2('\x21', '\x31', std::string(216, '\0')), "unix used 232"},
        {v2('\x21', '\0', ""), "unsaid used 16"},
        {v2('\x21', '\0', "\4\0\1x"s), "unsaid used 20"},
        {v2('\x20', '\0', ""), "unsaid used 16"},
        {v2('\x20', '\xff', "whatever"), "unsaid used 24"},
        {v2('\x21', '\x11', ip4 + "\1\0\2h2\x20\0\0"s), "192.0.2.1 12345 used 36"},
        {v2('\x21', '\x11', ip4 + "\4\7\xf1"s + std::string(2033, 'x')), "192.0.2.1 12345 used 2064"},
    });
}

TEST_CASE("hostile PROXY v2 headers") {
    const std::string command = proxy::bad_command.reason, kind = proxy::bad_family.reason;
    check({
        {v2('\x11', '\x11', ip4), command},
        {v2('\x31', '\x11', ip4), command},
        {v2('\x22', '\x11', ip4), command},
        {magic + "\1", command},
        {v2('\x21', '\x12', ip4), kind},
        {v2('\x21', '\x10', ip4), kind},
        {v2('\x21', '\x13', ip4), kind},
        {v2('\x21', '\1', ip4), kind},
        {v2('\x21', '\x41', ip4), kind},
        {v2('\x21', '\x11', ip4.substr(1)), proxy::short_block.reason},
        {v2('\x21', '\x11', ""), proxy::short_block.reason},
        {v2('\x21', '\x21', ip4), proxy::short_block.reason},
        {v2('\x21', '\x31', ip6), proxy::short_block.reason},
        {v2('\x21', '\x11', ip4 + "\1"), proxy::bad_extension.reason},
        {v2('\x21', '\x11', ip4 + "\1\0\1"s), proxy::bad_extension.reason},
        {v2('\x21', '\x11', ip4 + "\1\0\3h2"s), proxy::bad_extension.reason},
        {v2('\x21', '\x11', ip4 + "\1\xff\xff"), proxy::bad_extension.reason},
        {v2('\x21', '\x11', std::string(2049, '\0')), proxy::long_header.reason},
        {magic + "\x21\x11\xff\xff"s, proxy::long_header.reason},
        {"\r\n\r\nGET", proxy::no_header.reason},
        {"\r\n\r\n\0\r\nQUIT\r"s, proxy::no_header.reason},
    });
}

TEST_CASE("every prefix of a valid PROXY header is partial") {
    for (const std::string& whole : {"PROXY TCP6 2001:db8::1 ::1 1 2\r\n"s, v2('\x21', '\x21', ip6 + "\1\0\2h2"s)})
        for (std::size_t n = 0; n < whole.size(); ++n) CHECK(seen(std::string_view(whole).substr(0, n)) == "partial");
}

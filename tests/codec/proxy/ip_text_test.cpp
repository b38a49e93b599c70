// SPDX-License-Identifier: Apache-2.0
#include "codec/proxy/ip_text.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>

#include <arpa/inet.h>

using namespace apus::codec::proxy;

TEST_CASE("addresses are parsed as inet_pton does") {
    // clang-format off
    const char* texts[] = {
        "0.0.0.0", "192.0.2.1", "255.255.255.255", "256.0.0.1", "1.2.3", "1.2.3.4.5", "1.2.3.", ".1.2.3", "1..2.3",
        "01.2.3.4", "1.2.3.00", "0001.2.3.4", "1.2.3.4 ", " 1.2.3.4", "a.b.c.d", "", "1", "0x1.2.3.4", "-1.2.3.4",
        "::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1::8", "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "1::2::3", ":::", ":1", "1:", ":", "12345::",
        "g::", "FFFF::aBcD", "::ffff:192.0.2.1", "::1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:7:1.2.3.4",
        "1:2:3:4:5:1.2.3.4", "1.2.3.4::", "::1.2.3.4:5", "::1.2.3", "::01.2.3.4", "fe80::1%eth0", "[::1]", "::1 ",
        "1:2:3:4:5:6:7:", "0:0:0:0:0:0:0:0", "1:::2"
    };
    // clang-format on
    for (const char* text : texts) {
        CAPTURE(text);
        std::array<unsigned char, 16> ours{}, theirs{};
        const bool is_ip4 = inet_pton(AF_INET, text, theirs.data()) == 1;
        CHECK(read_ip4(text, ours.data()) == is_ip4);
        if (is_ip4) CHECK(ours == theirs);
        ours = theirs = {};
        const bool is_ip6 = inet_pton(AF_INET6, text, theirs.data()) == 1;
        CHECK(read_ip6(text, ours.data()) == is_ip6);
        if (is_ip6) CHECK(ours == theirs);
    }
}

// SPDX-License-Identifier: Apache-2.0
#include "http/peer_address.hpp"

#include <doctest/doctest.h>

#include <sys/socket.h>
#include <unistd.h>

using namespace apus::http;

TEST_CASE("addresses have one canonical form") {
    const unsigned char ip4[] = {192, 0, 2, 1};
    CHECK(address_text(ip4, false) == "192.0.2.1");
    const unsigned char mapped[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, 1};
    CHECK(address_text(mapped, true) == "192.0.2.1");
    const unsigned char ip6[] = {0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, 1};
    CHECK(address_text(ip6, true) == "2001:db8::ffff:c000:201");
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    CHECK(peer_address(ends[0]) == "unix");
    close(ends[0]);
    close(ends[1]);
    CHECK(peer_address(-1) == "unknown");
}

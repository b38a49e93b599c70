// SPDX-License-Identifier: Apache-2.0
#include "net/endpoint.hpp"

#include <doctest/doctest.h>

using apus::net::endpoint;

namespace {

constexpr const char* of_everybody[] = {"1.1.1.1",        "8.8.8.8",        "9.255.255.255",    "11.0.0.0",
                                        "100.63.255.255", "100.128.0.0",    "172.15.255.255",   "172.32.0.0",
                                        "192.167.0.1",    "192.169.0.1",    "223.255.255.255",  "2606:4700::1111",
                                        "2a00:1450::1",   "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:0808:0808::1"};
// clang-format off
constexpr const char* of_somebody[] = {
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "127.0.0.1", "127.255.255.254",
    "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1",
    "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.1.1.1", "240.0.0.1",
    "255.255.255.255", "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
    "64:ff9b::10.0.0.1", "64:ff9b:1::1", "2002:7f00:1::1", "2002:a9fe:a9fe::", "2001::1", "2001:db8::1", "3fff::1",
    "fc00::1", "fd12:3456::1", "fe80::1", "fec0::1", "ff02::1", "100::1"
};
// clang-format on

}  // namespace

TEST_CASE("public addresses, and addresses of special-purpose ranges") {
    for (const char* a : of_everybody) CHECK_MESSAGE(endpoint::parse(a, 80)->is_public(), a);
    for (const char* a : of_somebody) CHECK_MESSAGE(!endpoint::parse(a, 80)->is_public(), a);
    CHECK_FALSE(endpoint::parse("unix:/tmp/a")->is_public());
}

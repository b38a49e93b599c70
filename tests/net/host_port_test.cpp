// SPDX-License-Identifier: Apache-2.0
#include "net/host_port.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus::net;

namespace {

std::string shown(const char* text) {
    const auto made = parse_host_port(text, 42);
    return made ? to_text(*made) : "! " + std::string(made.error());
}

}  // namespace

TEST_CASE("hosts with ports") {
    constexpr const char* port = "! the port must be a number from 1 to 65535";
    const struct {
        const char *text, *shown;
    } examples[] = {
        {"h", "h:42"},
        {"example.com:65535", "example.com:65535"},
        {"[::1]", "[::1]:42"},
        {"[::1]:7", "[::1]:7"},
        {"", "! the host is missing"},
        {":7", "! the host is missing"},
        {"[]:7", "! the host is missing"},
        {"[::1", "! `]` is missing after the IPv6 address"},
        {"[::1]7", "! a port is expected after the IPv6 address"},
        {"a b", "! the host is malformed"},
        {"a%20b", "! the host is malformed"},
        {"a\r\n", "! the host is malformed"},
        {"h:", port},
        {"h:0", port},
        {"h:65536", port},
        {"h:-1", port},
        {"h:7x", port},
        {"h:7:8", port},
    };
    for (const auto& one : examples) {
        CAPTURE(one.text);
        CHECK(shown(one.text) == one.shown);
    }
}

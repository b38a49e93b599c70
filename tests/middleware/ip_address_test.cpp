// SPDX-License-Identifier: Apache-2.0
#include "middleware/ip_address.hpp"

#include <apus/client_info.hpp>

#include <doctest/doctest.h>

#include <stdexcept>

using apus::network_list;
using apus::middleware::ip_address;
using namespace std::string_view_literals;

TEST_CASE("ip addresses: equal addresses have equal text") {
    const struct {
        std::string_view in, out;
    } rows[] = {{"192.0.2.1", "192.0.2.1"},
                {"::ffff:192.0.2.1", "192.0.2.1"},
                {"::FFFF:c000:0201", "192.0.2.1"},
                {"2001:DB8:0:0:0:0:0:1", "2001:db8::1"},
                {"::", "::"},
                {"::1", "::1"}};
    for (const auto& row : rows) CHECK(ip_address::parse(row.in)->text() == row.out);
    for (auto bad : {""sv, "1.2.3"sv, "1.2.3.4.5"sv, "256.1.1.1"sv, "01.2.3.4"sv, "1.2.3.4 "sv, "[::1]"sv,
                     "fe80::1%eth0"sv, ":::"sv, "localhost"sv, "1.2.3.4\0"sv, "0x7f.1"sv}) {
        CAPTURE(bad);
        CHECK_FALSE(ip_address::parse(bad));
    }
}

TEST_CASE("network lists") {
    const network_list n{"10.0.0.0/8", "192.0.2.128/25", "203.0.113.7", "2001:db8::/33", "unix"};
    for (auto in : {"10.0.0.0", "10.255.255.255", "::ffff:10.1.2.3", "192.0.2.128", "192.0.2.255", "203.0.113.7",
                    "2001:db8::1", "2001:db8:7fff::", "unix"}) {
        CAPTURE(in);
        CHECK(n.contains(in));
    }
    for (auto out : {"11.0.0.0", "9.255.255.255", "192.0.2.127", "203.0.113.8", "2001:db8:8000::", "2001:db9::", "::1",
                     "", "nonsense", "unix:", "10.0.0.1/8"}) {
        CAPTURE(out);
        CHECK_FALSE(n.contains(out));
    }
    CHECK(network_list{"0.0.0.0/0"}.contains("1.2.3.4"));
    CHECK_FALSE(network_list{"0.0.0.0/0"}.contains("::1"));
    for (const auto* bad : {"10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0/8", "::/129", "",
                            "localhost", "2001:db8::1/64"}) {
        CAPTURE(bad);
        CHECK_THROWS_AS(network_list{bad}, std::invalid_argument);
    }
}

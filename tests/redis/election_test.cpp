// SPDX-License-Identifier: Apache-2.0
#include "redis/election.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>

using apus::redis::election;
using apus::redis::host_port;

namespace {

/// Passes the votes (a digit per sentinel: the port that it names; '-': none). Returns the ports that are tried after
/// each vote, separated by spaces.
std::string tried(const std::string& votes, std::size_t sentinels) {
    election of(sentinels);
    std::string made;
    for (const char c : votes) {
        std::optional<host_port> named;
        if (c != '-') named = host_port{.host = "h", .port = static_cast<std::uint16_t>(c - '0')};
        of.vote(named);
        while (const auto next = of.next()) made += std::to_string(next->port);
        made += ' ';
    }
    return made;
}

}  // namespace

TEST_CASE("the server that most sentinels name is tried first, and all others after the last vote") {
    CHECK(tried("1", 1) == "1 ");
    CHECK(tried("-", 1) == " ");
    CHECK(tried("111", 3) == " 1  ");
    CHECK(tried("121", 3) == "  12 ");
    CHECK(tried("122", 3) == "  21 ");
    CHECK(tried("112", 3) == " 1 2 ");
    CHECK(tried("123", 3) == "  123 ");
    CHECK(tried("-1-", 3) == "  1 ");
    CHECK(tried("11", 2) == " 1 ");
    CHECK(tried("12", 2) == " 12 ");
    CHECK(tried("---", 3) == "   ");
}

// SPDX-License-Identifier: Apache-2.0
#include "redis/handshake.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

using namespace apus::redis;

namespace {

std::string shown(std::string_view reply) {
    const auto facts = read_facts(reply);
    return facts.mode + "|" + facts.role;
}

std::string address(const std::string& host, std::int64_t port) {
    const auto at = read_host_port(host, port);
    return at ? to_text(*at) : "invalid";
}

}  // namespace

TEST_CASE("facts in replies to HELLO") {
    CHECK(shown("%2\r\n+mode\r\n+cluster\r\n$4\r\nrole\r\n$6\r\nmaster\r\n") == "cluster|master");
    CHECK(shown("*4\r\n+role\r\n+replica\r\n+mode\r\n+sentinel\r\n") == "sentinel|replica");
    CHECK(shown("%3\r\n+modules\r\n*1\r\n*1\r\n:1\r\n*1\r\n+x\r\n*0\r\n+role\r\n+master\r\n") == "|master");
    for (const char* other : {"+OK\r\n", ":1\r\n", "_\r\n", "*0\r\n", "*1\r\n+role\r\n", "*3\r\n+a\r\n+b\r\n+role\r\n",
                              "%1\r\n+role\r\n:1\r\n", "%1\r\n+role\r\n*1\r\n+master\r\n", "%0\r\n"})
        CHECK(shown(other) == "|");
}

TEST_CASE("addresses that servers name") {
    CHECK(address("10.0.0.1", 6379) == "10.0.0.1:6379");
    CHECK(address("::1", 1) == "[::1]:1");
    CHECK(address("redis.example", 65'535) == "redis.example:65535");
    CHECK(address(std::string(255, 'a'), 1).ends_with("a:1"));
    for (const auto& host : {std::string(), std::string("a b"), std::string("a\n"), std::string(1, '\0'),
                             std::string("\x7f"), std::string(256, 'a')})
        CHECK(address(host, 1) == "invalid");
    for (const std::int64_t port : {std::int64_t(0), std::int64_t(-1), std::int64_t(65'536), INT64_MIN, INT64_MAX})
        CHECK(address("a", port) == "invalid");
    CHECK(read_host_port("a", "6379").has_value());
    for (const char* port : {"", "x", "6379x", "-1", "99999999999999999999"}) CHECK(!read_host_port("a", port));
}

// SPDX-License-Identifier: Apache-2.0
#include "redis/slot_map.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace apus::redis;

namespace {

const host_port from{.host = "replied", .port = 7};

std::string range(const std::string& first, const std::string& last, const std::string& node) {
    return "*3\r\n" + first + last + node;
}
std::string number(long long n) { return ":" + std::to_string(n) + "\r\n"; }
std::string node(const std::string& host, long long port) {
    return "*4\r\n" + host + number(port) + "+id\r\n*2\r\n+hostname\r\n+h\r\n";
}
std::string list(const std::vector<std::string>& items) {
    std::string made = "*" + std::to_string(items.size()) + "\r\n";
    for (const auto& one : items) made += one;
    return made;
}

std::string shown(const std::string& reply) {
    const auto map = read_slots(reply, from);
    if (!map) return "none";
    std::string made;
    for (const auto& one : map->nodes) made += to_text(one) + " ";
    std::size_t served = 0;
    for (const auto owner : map->owner) served += owner != 0;
    return made + std::to_string(served);
}

std::string refusal(const std::string& reply) {
    const auto got = read_refusal(reply, from);
    switch (got.kind) {
        case refusal_kind::none: return "none";
        case refusal_kind::later: return "later";
        case refusal_kind::invalid: return "invalid";
        case refusal_kind::moved: return "moved " + std::to_string(got.slot) + " " + to_text(got.to);
        case refusal_kind::ask: return "ask " + std::to_string(got.slot) + " " + to_text(got.to);
    }
    return {};
}

}  // namespace

TEST_CASE("maps of slots") {
    const std::string a = node("+10.0.0.1\r\n", 1), b = node("+b\r\n", 2);
    CHECK(shown(list({range(number(0), number(9), a), range(number(16'383), number(16'383), b)})) ==
          "10.0.0.1:1 b:2 11");
    CHECK(shown(list({range(number(0), number(9), a), range(number(10), number(19), a)})) == "10.0.0.1:1 20");
    CHECK(shown(list({"*5\r\n" + number(0) + number(16'383) + a + b + b})) == "10.0.0.1:1 16384");
    // A node without a host has that of the node that has replied. Nodes with unknown hosts are skipped.
    for (const char* host : {"_\r\n", "$-1\r\n", "$0\r\n\r\n"})
        CHECK(shown(list({range(number(0), number(0), node(host, 9))})) == "replied:9 1");
    CHECK(shown(list({range(number(0), number(0), node("+?\r\n", 9)), range(number(1), number(1), b)})) == "b:2 1");
}

TEST_CASE("invalid maps of slots") {
    const std::string a = node("+a\r\n", 1);
    for (const std::string& reply :
         std::vector<std::string>{"-ERR This instance has cluster support disabled\r\n",
                                  "*0\r\n",
                                  "+OK\r\n",
                                  "_\r\n",
                                  "%0\r\n",
                                  list({"+x\r\n"}),
                                  list({"*0\r\n"}),
                                  list({range(number(0), "+x\r\n", a)}),
                                  list({range("*1\r\n+x\r\n", number(0), a)}),
                                  list({range(number(0), "*1\r\n+x\r\n", a)}),
                                  list({range(number(-1), number(0), a)}),
                                  list({range(number(5), number(4), a)}),
                                  list({range(number(0), number(16'384), a)}),
                                  list({range(number(0), number(INT64_MAX), a)}),
                                  list({range(number(0), number(0), node("+a\r\n", 0))}),
                                  list({range(number(0), number(0), node("+a\r\n", 65'536))}),
                                  list({range(number(0), number(0), node("+a b\r\n", 1))}),
                                  list({range(number(0), number(0), node("*1\r\n+a\r\n", 1))}),
                                  list({range(number(0), number(0), "*2\r\n+a\r\n*1\r\n:1\r\n")}),
                                  list({range(number(0), number(0), "*1\r\n+a\r\n")}),
                                  list({range(number(0), number(0), "+a\r\n")}),
                                  list({range(number(0), number(16'383), a), range(number(0), number(0), a)})}) {
        CAPTURE(reply);
        CHECK(shown(reply) == "none");
    }
    std::vector<std::string> many;
    for (int i = 0; i < 1'024; ++i) many.push_back(range(number(i), number(i), node("+h\r\n", i + 1)));
    CHECK(read_slots(list(many), from)->nodes.size() == 1'024);
    many.push_back(range(number(2'000), number(2'000), node("+h\r\n", 2'000)));
    CHECK(shown(list(many)) == "none");
}

TEST_CASE("health of nodes") {
    CHECK(is_healthy("$37\r\ncluster_enabled:1\r\ncluster_state:ok\r\n\r\n"));
    CHECK(is_healthy("-NOPERM no\r\n"));
    CHECK(!is_healthy("=24\r\ntxt:cluster_state:fail\r\n\r\n"));
}

TEST_CASE("refusals of nodes") {
    CHECK(refusal("-MOVED 3999 127.0.0.1:6381\r\n") == "moved 3999 127.0.0.1:6381");
    CHECK(refusal("-MOVED 0 ::1:6381\r\n") == "moved 0 [::1]:6381");
    CHECK(refusal("-MOVED 1 :6381\r\n") == "moved 1 replied:6381");
    CHECK(refusal("-ASK 16383 redis.example:1\r\n") == "ask 16383 redis.example:1");
    CHECK(refusal("!17\r\nASK 1 127.0.0.1:1\r\n") == "ask 1 127.0.0.1:1");
    CHECK(refusal("-TRYAGAIN Multiple keys request during rehashing of slot\r\n") == "later");
    CHECK(refusal("-CLUSTERDOWN Hash slot not served\r\n") == "later");
    for (const char* other : {"+MOVED 1 a:1\r\n", "$11\r\nMOVED 1 a:1\r\n", "-MOVEDX 1 a:1\r\n", "-ERR x\r\n", "-\r\n",
                              "*1\r\n-MOVED 1 a:1\r\n", "-CLUSTERDOWNX\r\n"})
        CHECK(refusal(other) == "none");
    for (const char* bad :
         {"-MOVED\r\n", "-MOVED \r\n", "-MOVED 1\r\n", "-MOVED 1 a\r\n", "-MOVED 16384 a:1\r\n", "-MOVED -1 a:1\r\n",
          "-MOVED x a:1\r\n", "-MOVED 1 a:0\r\n", "-MOVED 1 a:x\r\n", "-MOVED 1 a b:1\r\n", "-MOVED 1x a:1\r\n",
          "-MOVED 99999999999 a:1\r\n", "-ASK 1 a:99999\r\n"})
        CHECK(refusal(bad) == "invalid");
}

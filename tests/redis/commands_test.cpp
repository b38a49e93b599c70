// SPDX-License-Identifier: Apache-2.0
#include "redis/commands.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus::redis;

TEST_CASE("Redis commands that cannot share a connection, and those that can be repeated") {
    for (const char* name : {"SELECT", "select", "Auth", "CLIENT", "SUBSCRIBE", "MULTI", "EXEC", "RESET", "QUIT"}) {
        CHECK(fault_of(name, false) != nullptr);
        CHECK(fault_of(name, true) != nullptr);
    }
    for (const char* name : {"BLPOP", "watch", "XREAD", "WAIT"}) {
        CHECK(fault_of(name, false) != nullptr);
        CHECK(fault_of(name, true) == nullptr);
    }
    for (const char* name : {"GET", "SET", "", "ZADD", "selec", "SELECTS"}) CHECK(fault_of(name, false) == nullptr);
    CHECK(fault_of(std::string(1'000'000, 'A'), false) == nullptr);
    for (const char* name : {"GET", "get", "MGET", "HGETALL", "ZUNION", "BITCOUNT"}) CHECK(only_reads(name));
    for (const char* name : {"SET", "INCR", "GETDEL", "GETEX", "GETSET", "EVAL", "SORT", "TOUCH", ""})
        CHECK(!only_reads(name));
}

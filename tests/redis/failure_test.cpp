// SPDX-License-Identifier: Apache-2.0
#include "redis/failure.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus;

TEST_CASE("error replies of Redis become errors without their text") {
    const error made = redis::refused("WRONGTYPE Operation against x\r\n", "INCR", false);
    CHECK(made.status() == 500);
    CHECK(made.detail() == "a command of Redis failed");
    CHECK(made.cause() == "WRONGTYPE Operation against x??; command: INCR");
    REQUIRE(redis::failure_of(made));
    CHECK(redis::failure_of(made)->code == "WRONGTYPE");
    const error hidden = redis::refused("ERR unknown command 'X', with args beginning with: 'secret'", "X", true);
    CHECK(hidden.cause() == "ERR (text hidden, an argument is a secret); command: X");
    CHECK(redis::refused("", "X", false).status() == 500);
    CHECK(redis::refused(std::string(100'000, 'x'), "X", false).cause().size() < 600);
}

TEST_CASE("a Redis that cannot serve now: 503 with Retry-After") {
    for (const char* text :
         {"LOADING Redis is loading", "BUSY Redis is busy", "MASTERDOWN Link", "CLUSTERDOWN x", "TRYAGAIN x"}) {
        CHECK(redis::refused(text, "GET", false).status() == 503);
        CHECK(redis::failure_of(redis::refused(text, "GET", false)));
    }
    CHECK(redis::unreachable("why").status() == 503);
    CHECK(redis::too_busy("why").status() == 503);
    CHECK(redis::late("GET").status() == 504);
    CHECK(redis::failure_of(redis::unreachable("why")) == nullptr);
}

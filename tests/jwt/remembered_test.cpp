// SPDX-License-Identifier: Apache-2.0
#include "jwt/remembered.hpp"

#include "crypto/digest.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus;

TEST_CASE("the cache holds a fixed number of tokens until they expire") {
    jwt::remembered some(4);
    jwt::believed what;
    what.until = 100;
    for (int i = 0; i < 50; ++i) some.keep(crypto::sha256(std::to_string(i)), what);
    int found = 0;
    for (int i = 0; i < 50; ++i) found += some.find(crypto::sha256(std::to_string(i)), 99) != nullptr;
    CHECK(found == 4);
    CHECK(some.find(crypto::sha256("49"), 99));
    CHECK_FALSE(some.find(crypto::sha256("49"), 100));
    some.clear();
    CHECK_FALSE(some.find(crypto::sha256("49"), 99));
    CHECK(jwt::remembered(0).keeps_none());
}

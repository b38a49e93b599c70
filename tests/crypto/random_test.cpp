// SPDX-License-Identifier: Apache-2.0
#include "crypto/random.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace apus::crypto;

TEST_CASE("random bytes have the requested size and do not repeat") {
    CHECK(random_bytes(0).empty());
    std::set<std::string> seen;
    for (int i = 0; i < 1000; ++i) {
        const std::string id = random_hex(16);
        CHECK(id.size() == 32);
        CHECK(id.find_first_not_of("0123456789abcdef") == id.npos);
        seen.insert(id);
    }
    CHECK(seen.size() == 1000);
    CHECK(random_bytes(100'000).size() == 100'000);
}

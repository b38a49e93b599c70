// SPDX-License-Identifier: Apache-2.0
#include "crypto/sealed_box.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using apus::crypto::sealed_box;

namespace {

const std::string old_secret(32, 'o');
const std::string new_secret(40, 'n');

}  // namespace

TEST_CASE("sealed box: only the same key, context and purpose open it") {
    const sealed_box box({old_secret}, "sessions");
    const std::string sealed = box.seal("user=7", "id");
    CHECK(sealed.size() == 6 + sealed_box::overhead);
    CHECK_FALSE(sealed.contains("user"));
    CHECK(box.open(sealed, "id") == "user=7");
    CHECK(box.open(box.seal("", ""), "") == "");
    CHECK(sealed != box.seal("user=7", "id"));  // sealing the same text again gives another result

    CHECK_FALSE(box.open(sealed, "other"));
    CHECK_FALSE(sealed_box({new_secret}, "sessions").open(sealed, "id"));
    CHECK_FALSE(sealed_box({old_secret}, "tokens").open(sealed, "id"));
}

TEST_CASE("sealed box: a change of any bit, or of the size, is detected") {
    const sealed_box box({old_secret}, "sessions");
    const std::string sealed = box.seal("user=7", "id");
    for (std::size_t bit = 0; bit < sealed.size() * 8; ++bit) {
        std::string changed = sealed;
        changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
        CHECK_FALSE(box.open(changed, "id"));
    }
    for (std::size_t size = 0; size < sealed.size(); ++size) CHECK_FALSE(box.open(sealed.substr(0, size), "id"));
    CHECK_FALSE(box.open(sealed + '\0', "id"));
}

TEST_CASE("sealed box: several keys, the first of which seals") {
    const sealed_box before({old_secret}, "sessions"), during({new_secret, old_secret}, "sessions"),
        after({new_secret}, "sessions");
    CHECK(during.open(before.seal("a", "id"), "id") == "a");
    CHECK(after.open(during.seal("b", "id"), "id") == "b");
    CHECK_FALSE(after.open(before.seal("a", "id"), "id"));
}

TEST_CASE("sealed box: weak secrets are rejected with a message") {
    CHECK_THROWS_WITH_AS(sealed_box({}, "sessions"), "missing secret for sessions", std::invalid_argument);
    CHECK_THROWS_WITH_AS(sealed_box({new_secret, "changeme"}, "sessions"),
                         "a secret for sessions has 8 bytes: use at least 32 bytes from a random number generator",
                         std::invalid_argument);
}

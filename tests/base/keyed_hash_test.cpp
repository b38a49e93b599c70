// SPDX-License-Identifier: Apache-2.0
#include "base/keyed_hash.hpp"

#include <doctest/doctest.h>

#include <string>

using apus::base::keyed_hash;

TEST_CASE("the hash agrees with its definition") {
    // The key, and the messages 00 01 02 ..., of the paper's appendix, with the results of its reference
    // implementation.
    const apus::base::hash_secret secret = {0x0706050403020100, 0x0f0e0d0c0b0a0908};
    struct row {
        std::size_t size;
        std::uint64_t hash;
    };
    const row rows[] = {
        {0, 0x726fdb47dd0e0e31}, {1, 0x74f839c593dc67fd},  {7, 0xab0200f58b01d137},
        {8, 0x93f5f5799a932462}, {15, 0xa129ca6149be45e5},
    };
    std::string message;
    for (char c = 0; c < 16; ++c) message += c;
    for (const auto& row : rows) {
        CAPTURE(row.size);
        CHECK(keyed_hash({message.data(), row.size}, secret) == row.hash);
    }
}

TEST_CASE("another secret gives another hash") {
    CHECK(keyed_hash("a", {1, 2}) != keyed_hash("a", {1, 3}));
    CHECK(keyed_hash("a", {1, 2}) != keyed_hash("a", {2, 2}));
}

// SPDX-License-Identifier: Apache-2.0
#include "middleware/token_buckets.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

using apus::middleware::token_buckets;
using apus::middleware::token_result;

namespace {

constexpr std::int64_t s = 1'000'000'000;
constexpr std::int64_t start = 1'000'000 * s;

// Returns "left 2, full in 10" or "next in 5, full in 30", with times in seconds.
std::string seen(const token_result& v) {
    const std::string full = ", full in " + std::to_string(v.until_full / s);
    if (!v.allowed) return "next in " + std::to_string(v.until_next / s) + full;
    return "left " + std::to_string(v.left) + full;
}

}  // namespace

TEST_CASE("a bucket grants its tokens, then one per interval") {
    token_buckets buckets(8, {.interval = 10 * s, .capacity = 30 * s});
    struct row {
        std::int64_t at;
        std::string seen;
    };
    const row rows[] = {
        {0, "left 2, full in 10"},      {0, "left 1, full in 20"},    {0, "left 0, full in 30"},
        {0, "next in 10, full in 30"},  {9, "next in 1, full in 21"}, {10, "left 0, full in 30"},
        {10, "next in 10, full in 30"}, {35, "left 1, full in 15"},   {1000, "left 2, full in 10"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.at);
        CHECK(seen(buckets.take(7, start + row.at * s)) == row.seen);
    }
}

TEST_CASE("keys have separate buckets, and a clock that goes back a little is harmless") {
    token_buckets buckets(64, {.interval = s, .capacity = s});
    CHECK(buckets.take(1, start).allowed);
    CHECK_FALSE(buckets.take(1, start).allowed);
    CHECK(buckets.take(2, start).allowed);
    CHECK(token_buckets(8, {}).take(0, start).allowed);
    CHECK_FALSE(buckets.take(2, start - 1000).allowed);
}

TEST_CASE("memory is bounded: a new key replaces the fullest bucket") {
    token_buckets buckets(8, {.interval = s, .capacity = 8 * s});
    CHECK(buckets.keys() == 8);
    // Takes one token from the bucket of key 1, two tokens from the bucket of key 2, and so on.
    for (std::uint64_t key = 1; key <= 8; ++key)
        for (std::uint64_t n = 0; n < key; ++n) CHECK(buckets.take(key, start).allowed);
    CHECK(buckets.take(9, start).left == 7);  // replaces key 1
    CHECK(buckets.take(8, start).allowed == false);
    CHECK(buckets.take(5, start).left == 2);
    CHECK(buckets.take(9, start).left == 6);
    CHECK(buckets.take(1, start).left == 7);  // replaces key 2 or key 9, each of which took two tokens
}

TEST_CASE("the number of keys is rounded up to at least eight") {
    CHECK(token_buckets(1, {}).keys() == 8);
    CHECK(token_buckets(9, {}).keys() == 16);
    CHECK(token_buckets(65'536, {}).keys() == 65'536);
}

TEST_CASE("concurrent threads get exactly the tokens of a bucket") {
    token_buckets buckets(1024, {.interval = s, .capacity = 1000 * s});
    std::atomic<int> got = 0;
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 500; ++i) got += buckets.take(42, start).allowed;
        });
    threads.clear();
    CHECK(got == 1000);
}

TEST_CASE("concurrent threads with many keys keep the table consistent") {
    token_buckets buckets(64, {.interval = s, .capacity = 3 * s});
    std::vector<std::jthread> threads;
    for (std::uint64_t t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (std::uint64_t i = 0; i < 20'000; ++i) buckets.take((i % 97) * 0x9e3779b97f4a7c15 + t % 2, start);
        });
    threads.clear();
    const std::int64_t later = start + 1000 * s;
    for (int i = 0; i < 3; ++i) CHECK(buckets.take(5, later).allowed);
    CHECK_FALSE(buckets.take(5, later).allowed);
}

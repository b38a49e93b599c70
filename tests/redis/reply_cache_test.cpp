// SPDX-License-Identifier: Apache-2.0
#include "redis/reply_cache.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>

using apus::redis::reply_cache;

namespace {

std::string found(reply_cache& in, std::string_view command, std::uint64_t stored_after = 0) {
    const auto* reply = in.find(command, stored_after);
    return reply ? *reply : "none";
}

}  // namespace

TEST_CASE("replies are found by command, and removed by key") {
    reply_cache in(100'000);
    in.store("k", "GET k", "one", 1);
    in.store("k", "STRLEN k", "3", 1);
    in.store("other", "GET other", "two", 1);
    CHECK(found(in, "GET k") == "one");
    in.store("k", "GET k", "new", 2);
    CHECK(found(in, "GET k") == "new");
    CHECK(in.size() == 3);
    in.remove_key("unknown");
    in.remove_key("k");
    CHECK(found(in, "GET k") == "none");
    CHECK(found(in, "STRLEN k") == "none");
    CHECK(found(in, "GET other") == "two");
    in.clear();
    CHECK(found(in, "GET other") == "none");
    CHECK(in.bytes() == 0);
}

TEST_CASE("replies that are too old are removed") {
    reply_cache in(100'000);
    in.store("k", "GET k", "v", 10);
    CHECK(found(in, "GET k", 10) == "v");
    CHECK(found(in, "GET k", 11) == "none");
    CHECK(in.size() == 0);
}

TEST_CASE("the memory is limited: the least recently used replies are removed, and large ones are not stored") {
    constexpr std::size_t most = 10 * (reply_cache::overhead + 100);
    reply_cache in(most);
    for (int i = 0; i < 100; ++i) {
        const std::string name = std::to_string(i);
        in.store(name, "GET " + name, std::string(80, 'x'), 1);
        CHECK(in.bytes() <= most);
        CHECK(found(in, "GET 0") != "none");  // used recently
    }
    CHECK(in.size() == 10);
    CHECK(found(in, "GET 99") != "none");
    CHECK(found(in, "GET 50") == "none");
    in.store("large", "GET large", std::string(most / 4, 'x'), 1);
    CHECK(found(in, "GET large") == "none");
    // An older reply to the same command must not stay.
    in.store("99", "GET 99", std::string(most / 4, 'x'), 2);
    CHECK(found(in, "GET 99") == "none");
    reply_cache none(0);
    none.store("k", "GET k", "v", 1);
    CHECK(none.size() == 0);
}

TEST_CASE("many commands for one key") {
    constexpr std::size_t many = 60'000;  // with a search for each one, this takes more than half a minute
    const auto began = std::chrono::steady_clock::now();
    reply_cache in(100'000'000);
    for (std::size_t i = 0; i < many; ++i) in.store("k", "HGET k " + std::to_string(i), "v", 1);
    in.store("other", "GET other", "v", 1);
    CHECK(in.size() == many + 1);
    in.remove_key("k");
    CHECK(in.size() == 1);
    CHECK(found(in, "GET other") == "v");
    in.remove_key("other");
    CHECK(in.bytes() == 0);
    CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(8));
}

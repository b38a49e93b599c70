// SPDX-License-Identifier: Apache-2.0
#include "redis/feed_message.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus::redis;
using namespace std::string_literals;

TEST_CASE("messages of feeds: a cut message is invalid, and the rest is data") {
    const std::string head = "apus-fd10\x04\0\0\0room\x03\0\0\0"s + "1-1\x03\0\0\0"s + "1-2\x01\0\0\0t\x04\0\0\0name"s;
    const auto read = read_feed_message(head + "data\0 and more"s);
    REQUIRE(read);
    CHECK(read->room == "room");
    CHECK(read->previous == "1-1");
    CHECK(read->event.id == "1-2");
    CHECK(read->token == "t");
    CHECK(read->event.name == "name");
    CHECK(read->event.data == "data\0 and more"s);
    CHECK_FALSE(read->first);
    for (std::size_t size = 0; size < head.size(); ++size) CHECK_FALSE(read_feed_message(head.substr(0, size)));
    CHECK(read_feed_message(head)->event.data.empty());
    for (const auto& other :
         {"apus-fd12"s + head.substr(9), "apus-fd2"s + head.substr(8), "apus-fd10\xff\xff\xff\xffroom"s})
        CHECK_FALSE(read_feed_message(other));
}

TEST_CASE("entries of feeds: unknown fields are ignored") {
    const auto read = read_feed_entry("1-2", {"n", "name", "x", "y", "d", "data", "t", "token", "f", "1", "odd"});
    CHECK(read.event.id == "1-2");
    CHECK(read.event.name == "name");
    CHECK(read.event.data == "data");
    CHECK(read.token == "token");
    CHECK(read.first);
    CHECK(read_feed_entry("1-2", {}).event.data.empty());
}

// SPDX-License-Identifier: Apache-2.0
#include "redis/key_slot.hpp"

#include <doctest/doctest.h>

#include <string>

using apus::redis::hashed_part;
using apus::redis::slot_of_key;

TEST_CASE("slots of keys") {
    CHECK(slot_of_key("123456789") == 12'739);  // the example of the specification: 0x31c3
    CHECK(slot_of_key("foo") == 12'182);
    CHECK(slot_of_key("bar") == 5'061);
    CHECK(slot_of_key("hello") == 866);
    CHECK(slot_of_key("") == 0);
    for (int i = 0; i < 1'000; ++i) CHECK(slot_of_key(std::string(static_cast<std::size_t>(i), '\xff')) < 16'384);
}

TEST_CASE("hash tags of keys") {
    CHECK(hashed_part("{user1000}.following") == "user1000");
    CHECK(hashed_part("a{b}{c}") == "b");
    CHECK(hashed_part("foo{{bar}}zap") == "{bar");
    for (const char* whole : {"", "abc", "foo{}{bar}", "{}", "a}b{", "{abc", "}{"}) CHECK(hashed_part(whole) == whole);
    CHECK(slot_of_key("{user1000}.following") == slot_of_key("{user1000}.followers"));
}

// SPDX-License-Identifier: Apache-2.0
#include "web/text_table.hpp"

#include <doctest/doctest.h>

#include <string>

using apus::web::text_table;

TEST_CASE("texts of every length are distinguished, also by owner") {
    text_table table;
    CHECK(table.find(0, "") == text_table::absent);
    const std::string text = "the quick brown fox jumps over the lazy dog";
    for (std::uint32_t size = 0; size <= text.size(); ++size)
        for (std::uint32_t owner = 0; owner < 3; ++owner)
            CHECK(table.add(owner, text.substr(0, size), size * 3 + owner) == size * 3 + owner);
    for (std::uint32_t size = 0; size <= text.size(); ++size) {
        for (std::uint32_t owner = 0; owner < 3; ++owner)
            CHECK(table.find(owner, text.substr(0, size)) == size * 3 + owner);
        CHECK(table.find(3, text.substr(0, size)) == text_table::absent);
        CHECK(table.find(0, text.substr(0, size) + '!') == text_table::absent);
    }
}

TEST_CASE("the first value is kept") {
    text_table table;
    CHECK(table.add(0, "a", 1) == 1);
    CHECK(table.add(0, "a", 2) == 1);
    CHECK(table.find(0, "a") == 1);
}

TEST_CASE("texts that differ in one byte are distinguished") {
    text_table table;
    const std::string text(40, 'a');
    for (std::uint32_t size = 1; size <= text.size(); ++size)
        for (std::uint32_t at = 0; at < size; ++at) {
            std::string other = text.substr(0, size);
            other[at] = 'b';
            CHECK(table.add(0, other, size * 64 + at) == size * 64 + at);
        }
    CHECK(table.find(0, text) == text_table::absent);
    CHECK(table.longest_run() < 40);
}

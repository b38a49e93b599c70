// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/field_rules.hpp"
#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <string>

using apus::codec::http1::is_field_value;
using apus::codec::http1::is_token;

TEST_CASE("a field name is a non-empty token") {
    for (const std::string_view good : {"x", "X-Request-Id", "!#$%&'*+-.^_`|~", "a-name-longer-than-sixteen-bytes"})
        CHECK(is_token(good));
    for (const std::string_view bad : {"", "a b", "a:", "a\r\n", "caf\xc3\xa9", "a-name-longer-than-sixteen-bytes("})
        CHECK(!is_token(bad));
}

TEST_CASE("a field value cannot contain a line break at any position") {
    apus::test::page_end room(4096);
    for (unsigned b = 0; b < 256; ++b) {
        const bool fine = b == '\t' || (b >= 0x20 && b != 0x7f);
        for (std::size_t before = 0; before < 40; ++before) {
            const std::string text = std::string(before, 'a') + static_cast<char>(b) + std::string(before % 7, 'z');
            CHECK(is_field_value(room.place(text)) == fine);
        }
    }
    CHECK(is_field_value(""));
}

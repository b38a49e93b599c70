// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/field_id.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus::codec::fields;

TEST_CASE("field numbers: each name has one, and no other text") {
    int names = 0;
    for (int i = 1; i <= static_cast<int>(field_id::upgrade_insecure_requests); ++i) {
        const std::string name(text_of(static_cast<field_id>(i)));
        if (name.empty()) continue;
        ++names;
        CAPTURE(name);
        CHECK(static_cast<int>(find_field_id(name)) == i);
        CHECK(find_field_id(name + "x") == field_id::unknown);
        CHECK(find_field_id(name.substr(1)) == field_id::unknown);
        CHECK(is_pseudo(static_cast<field_id>(i)) == name.starts_with(':'));
        std::string other = name;
        other[other.size() / 3] = 'X';
        CHECK(find_field_id(other) == field_id::unknown);
    }
    CHECK(names == 67);
    CHECK(find_field_id("") == field_id::unknown);
    CHECK(find_field_id(std::string(1000, 'a')) == field_id::unknown);
    CHECK(find_field_id("content-length") == field_id::content_length);
    CHECK(find_field_id("Content-Length") == field_id::unknown);
}

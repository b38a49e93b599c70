// SPDX-License-Identifier: Apache-2.0
#include "codec/json/pointer.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

TEST_CASE("JSON Pointers are read token by token") {
    const struct {
        std::string_view pointer, token, rest;
        bool valid;
    } cases[] = {
        {"/a/b", "a", "/b", true},     {"/a", "a", "", true},      {"/", "", "", true},        {"//x", "", "/x", true},
        {"/~1~0/x", "/~", "/x", true}, {"/m~0n", "m~n", "", true}, {"", "", "", false},        {"a", "", "", false},
        {"/~", "~", "", false},        {"/~2", "~2", "", false},   {"/~/0", "~", "/0", false},
    };
    for (const auto& c : cases) {
        CAPTURE(c.pointer);
        std::string_view left = c.pointer;
        std::string token;
        CHECK(apus::codec::json::take_reference(left, token) == c.valid);
        CHECK(token == c.token);
        CHECK(left == c.rest);
    }
}

// SPDX-License-Identifier: Apache-2.0
#include "postgres/feed_hint.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus;

TEST_CASE("hints of feeds: rooms and tokens in hexadecimal digits; other texts are refused") {
    const auto shown = [](std::string_view text) {
        const auto got = postgres::read_feed_hint(text);
        if (!got) return std::string("invalid");
        return got->room + "|" + got->event.id + "|" + got->token + "|" + (got->first ? "first" : "");
    };
    CHECK(shown("1 5-7 0 746561 7a") == "tea|5-7|z|");
    CHECK(shown("1 5-7 1  ") == "|5-7||first");
    for (const char* invalid :
         {"", "1", "2 5-7 0 61 62", "1 5 0 61 62", "1 5-7 2 61 62", "1 5-7  61 62", "1 5-7 0 6 62", "1 5-7 0 6g 62",
          "1 5-7 0 61 6", "1 5-7 0 61 62 63", "1 -5-7 0 61 62"}) {
        CAPTURE(invalid);
        CHECK(shown(invalid) == "invalid");
    }
}

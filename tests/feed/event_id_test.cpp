// SPDX-License-Identifier: Apache-2.0
#include "feed/event_id.hpp"

#include <doctest/doctest.h>

using namespace apus::feeds;

TEST_CASE("ids of events: only two numbers with a hyphen are read") {
    for (const char* text : {"0-0", "1-2", "1700000000000-15", "18446744073709551615-18446744073709551615"}) {
        CAPTURE(text);
        const auto id = read_event_id(text);
        REQUIRE(id);
        CHECK(text_of(*id) == text);
    }
    for (const char* text : {"", "-", "1", "1-", "-1", "1--1", "+1-1", "1-+1", " 1-1", "1-1 ", "1-1x", "0x1-1", "1.0-1",
                             "18446744073709551616-0", "0-18446744073709551616"}) {
        CAPTURE(text);
        CHECK_FALSE(read_event_id(text));
    }
    CHECK(*read_event_id("9-9") < *read_event_id("10-0"));
    CHECK(*read_event_id("9-9") < *read_event_id("9-10"));
}

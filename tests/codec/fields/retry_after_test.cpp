// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/retry_after.hpp"

#include <doctest/doctest.h>

using apus::codec::fields::read_retry_after;

TEST_CASE("Retry-After: seconds and dates") {
    constexpr std::int64_t now = 784'111'777;  // Sun, 06 Nov 1994 08:49:37 GMT
    const struct {
        const char* text;
        std::int64_t seconds;  // -1: invalid
    } cases[] = {
        {"0", 0},
        {"120", 120},
        {"0120", 120},
        {"99999999999999999999999", 1'000'000},
        {"Sun, 06 Nov 1994 08:50:37 GMT", 60},
        {"Sun, 06 Nov 1994 08:49:00 GMT", 0},
        {"Fri, 31 Dec 9999 23:59:59 GMT", 1'000'000},
        {"", -1},
        {"-1", -1},
        {"1.5", -1},
        {"12 ", -1},
        {"soon", -1},
    };
    for (const auto& each : cases) {
        CAPTURE(each.text);
        CHECK(read_retry_after(each.text, now).value_or(-1) == each.seconds);
    }
}

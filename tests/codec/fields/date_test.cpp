// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/date.hpp"
#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace {

struct moment {
    std::int64_t seconds;
    std::string_view text;
};

constexpr moment moments[] = {
    {0, "Thu, 01 Jan 1970 00:00:00 GMT"},
    {784'111'777, "Sun, 06 Nov 1994 08:49:37 GMT"},
    {951'782'399, "Mon, 28 Feb 2000 23:59:59 GMT"},
    {951'782'400, "Tue, 29 Feb 2000 00:00:00 GMT"},
    {1'772'323'200, "Sun, 01 Mar 2026 00:00:00 GMT"},
    {4'107'542'400, "Mon, 01 Mar 2100 00:00:00 GMT"},
    {253'402'300'799, "Fri, 31 Dec 9999 23:59:59 GMT"},
    {253'402'300'800, "Fri, 31 Dec 9999 23:59:59 GMT"},
    {-1, "Thu, 01 Jan 1970 00:00:00 GMT"},
};

constexpr std::int64_t in_2026 = 1'792'000'000;

constexpr moment other_formats[] = {
    {784'111'777, "Sunday, 06-Nov-94 08:49:37 GMT"},
    {784'111'777, "Sun Nov  6 08:49:37 1994"},
    {784'111'777, "Sun Nov 06 08:49:37 1994"},
    {784'111'777, "Mon, 06 Nov 1994 08:49:37 GMT"},    // the wrong day name
    {1'483'228'800, "Sat, 31 Dec 2016 23:59:60 GMT"},  // a leap second
    {3'313'526'399, "Monday, 31-Dec-74 23:59:59 GMT"},
    {221'875'200, "Wednesday, 12-Jan-77 00:00:00 GMT"},
    {951'782'400, "Tuesday, 29-Feb-00 00:00:00 GMT"},
    {-3'600, "Wed, 31 Dec 1969 23:00:00 GMT"},
};

constexpr std::string_view no_dates[] = {
    "",
    "Sun",
    "0",
    "784111777",
    "Sun, 06 Nov 1994 08:49:37",
    "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sun, 06 Nov 1994 08:49:37 GMT ",
    "Sun, 06 Nov 1994 8:49:37 GMT",
    "Sun, 6 Nov 1994 08:49:37 GMT",
    "sun, 06 Nov 1994 08:49:37 GMT",
    "Son, 06 Nov 1994 08:49:37 GMT",
    "unM, 06 Nov 1994 08:49:37 GMT",
    "Sun, 06 nov 1994 08:49:37 GMT",
    "Sun, 06 anF 1994 08:49:37 GMT",
    "Sun, 00 Nov 1994 08:49:37 GMT",
    "Sun, 31 Nov 1994 08:49:37 GMT",
    "Wed, 29 Feb 2023 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Nov 1994 08:60:00 GMT",
    "Sun, 06 Nov 1994 08:49:61 GMT",
    "Sun, 06 Nov 19 94 08:49:37 GMT",
    "Sun, -6 Nov 1994 08:49:37 GMT",
    "Sun, 06-Nov-94 08:49:37 GMT",
    "Sunday, 06 Nov 1994 08:49:37 GMT",
    "Sunday, 06-Nov-1994 08:49:37 GMT",
    "Sun Nov 6 08:49:37 1994",
    "Sun Nov 1  08:49:37 1994",
};

}  // namespace

TEST_CASE("dates are formatted as IMF-fixdate") {
    for (const auto& [seconds, text] : moments) {
        std::string out(apus::codec::fields::date_size, 'x');
        apus::codec::fields::write_date(seconds, out.data());
        CHECK(out == text);
    }
}

TEST_CASE("dates are parsed in three formats") {
    apus::test::page_end room(4096);
    for (const auto& [seconds, text] : other_formats) {
        CAPTURE(text);
        CHECK(apus::codec::fields::read_date(room.place(text), in_2026) == seconds);
    }
    for (std::int64_t second = 0; second < 4'000'000'000; second += 8'640'001) {
        std::string text(apus::codec::fields::date_size, 'x');
        apus::codec::fields::write_date(second, text.data());
        CHECK(apus::codec::fields::read_date(text, in_2026) == second);
    }
}

TEST_CASE("invalid dates are rejected") {
    apus::test::page_end room(4096);
    for (const auto& text : no_dates) {
        CAPTURE(text);
        CHECK(!apus::codec::fields::read_date(room.place(text), in_2026));
    }
}

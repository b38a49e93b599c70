// SPDX-License-Identifier: Apache-2.0
#include "schema/calendar.hpp"

#include <doctest/doctest.h>

#include <cstdint>

using namespace apus::schema;

TEST_CASE("calendar: days since 1970-01-01 are dates") {
    const struct {
        std::int64_t day;
        calendar_date date;
    } rows[] = {
        {0, {1970, 1, 1}},
        {-1, {1969, 12, 31}},
        {11'016, {2000, 2, 29}},
        {11'017, {2000, 3, 1}},
        {-25'509, {1900, 2, 28}},
        {-25'508, {1900, 3, 1}},
        {19'782, {2024, 2, 29}},
        {2'932'896, {9999, 12, 31}},
        {-719'528, {0, 1, 1}},
        {-719'469, {0, 2, 29}},
        {-719'529, {-1, 12, 31}},
        {2'145'042'905, {5'874'897, 12, 31}},
        {-2'440'588, {-4713, 11, 24}},
    };
    for (const auto& [day, date] : rows) {
        CAPTURE(day);
        const calendar_date got = date_of_unix_day(day);
        CHECK(got.year == date.year);
        CHECK(got.month == date.month);
        CHECK(got.day == date.day);
        CHECK(unix_day_of(date) == day);
    }
}

TEST_CASE("calendar: each day of 800 years follows the day before") {
    calendar_date before = date_of_unix_day(-800'000);
    for (std::int64_t day = -799'999; day < -500'000; ++day) {
        const calendar_date date = date_of_unix_day(day);
        const bool same_month = date.year == before.year && date.month == before.month && date.day == before.day + 1;
        const bool next_month = date.day == 1 && before.day >= 28 &&
                                (date.month == before.month + 1 || (date.month == 1 && before.month == 12));
        REQUIRE((same_month || next_month));
        REQUIRE(unix_day_of(date) == day);
        before = date;
    }
}

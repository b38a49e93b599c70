// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Days and dates of the proleptic Gregorian calendar. `std::chrono` has no years beyond 32767, which databases have.

namespace apus::schema {

struct calendar_date {
    std::int64_t year;    ///< 0 is the year before 1 AD.
    unsigned month, day;  ///< Both begin at 1.
};

// Both functions calculate with years that begin in March, so that the leap day is the last day of a year, and with
// eras of 400 such years. Day 0 of era 0 is 0000-03-01.
inline constexpr std::int64_t days_of_era = 146'097, first_unix_day = 719'468;

/// Converts days since 1970-01-01 to a date.
constexpr calendar_date date_of_unix_day(std::int64_t day) noexcept {
    day += first_unix_day;
    const std::int64_t era = (day >= 0 ? day : day - days_of_era + 1) / days_of_era;
    const auto day_of_era = static_cast<unsigned>(day - era * days_of_era);
    const unsigned year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
    const unsigned day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const unsigned month = (5 * day_of_year + 2) / 153;  // 0 is March
    return {era * 400 + year_of_era + (month >= 10), month < 10 ? month + 3 : month - 9,
            day_of_year - (153 * month + 2) / 5 + 1};
}

/// Converts a valid date to days since 1970-01-01.
constexpr std::int64_t unix_day_of(calendar_date date) noexcept {
    const std::int64_t year = date.year - (date.month <= 2);
    const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
    const std::int64_t year_of_era = year - era * 400;
    const unsigned day_of_year = (153 * (date.month > 2 ? date.month - 3 : date.month + 9) + 2) / 5 + date.day - 1;
    return era * days_of_era + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - first_unix_day;
}

}  // namespace apus::schema

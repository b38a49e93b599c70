// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/schema_table.hpp>

namespace apus::schema {

/// Reads a date-time of RFC 3339, 5.6, of the years 0 to 9999, into a point in time. Digits of a
/// second beyond what the type counts are cut off. A leap second (:60) is the second after it.
/// False: it is none, or lies outside of what the type counts.
bool read_time(std::string_view text, const time_calls& calls, void* time);

constexpr std::size_t longest_time = 32;

/// Writes a point in time in UTC, with the digits of a second that its type counts and that are
/// not zero, in threes. Gives how many bytes; 0 for a year outside of 0 to 9999.
std::size_t write_time(char (&to)[longest_time], const time_calls& calls, const void* time);

bool is_date(std::string_view text) noexcept;  ///< full-date of RFC 3339, 5.6: "2026-11-22".
/// partial-time or full-time: "12:30:00", "12:30:00.5Z", "12:30:00+01:00".
bool is_time_of_day(std::string_view text) noexcept;

}  // namespace apus::schema

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/schema_table.hpp>

namespace apus::schema {

/// Parses an RFC 3339 date-time (5.6) of the years 0 to 9999. Returns false if it is invalid.
/// Excess digits of fractional seconds are truncated. A leap second (:60) becomes the next second. Also returns false
/// if the time is out of the type's range.
bool read_time(std::string_view text, const time_calls& calls, void* time);

constexpr std::size_t longest_time = 32;

/// Writes a time in UTC, and returns its size; 0 for years outside 0 to 9999.
/// Fractional seconds have 0, 3, 6 or 9 digits: as many as the type's precision and the value need.
std::size_t write_time(char (&to)[longest_time], const time_calls& calls, const void* time);

bool is_date(std::string_view text) noexcept;  ///< full-date of RFC 3339, 5.6: "2026-11-22".
/// Whether `text` is a partial-time or full-time: "12:30:00", "12:30:00.5Z", "12:30:00+01:00".
bool is_time_of_day(std::string_view text) noexcept;

}  // namespace apus::schema

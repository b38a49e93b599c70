// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace apus::codec::fields {

constexpr std::size_t date_size = 29;

/// Writes a time as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
/// Writes `date_size` bytes to `out`, without a NUL. `seconds` counts from 1970-01-01; earlier times, and times after
/// the year 9999, are replaced by the nearest valid time.
void write_date(std::int64_t seconds, char* out) noexcept;

/// Parses a date in one of the three formats of RFC 9110, 5.6.7.
/// Returns seconds since 1970-01-01; empty if invalid. A day name is required, but need not match the date. `now`, in
/// seconds since 1970-01-01, resolves two-digit years.
std::optional<std::int64_t> read_date(std::string_view text, std::int64_t now) noexcept;

}  // namespace apus::codec::fields

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace apus::codec::fields {

constexpr std::size_t date_size = 29;

/// Writes a time as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7): `date_size` bytes from
/// `out` on, without a NUL. `seconds` counts from 1970-01-01; times before it, or after the year
/// 9999, are written as the nearest that the format has.
void write_date(std::int64_t seconds, char* out) noexcept;

/// The time that one of the three formats of RFC 9110, 5.6.7 writes, in seconds since 1970-01-01,
/// or nothing. The name of the day must be one, but may be that of another day. `now`, in the same
/// seconds, tells which century a year of two digits is of.
std::optional<std::int64_t> read_date(std::string_view text, std::int64_t now) noexcept;

}  // namespace apus::codec::fields

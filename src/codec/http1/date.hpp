// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace apus::codec::http1 {

constexpr std::size_t date_size = 29;

/// Writes a time as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7): `date_size` bytes from
/// `out` on, without a NUL. `seconds` counts from 1970-01-01; times before it, or after the year
/// 9999, are written as the nearest that the format has.
void write_date(std::int64_t seconds, char* out) noexcept;

}  // namespace apus::codec::http1

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace apus::codec::fields {

constexpr std::int64_t max_retry_after = 1'000'000;  ///< Seconds; longer delays are shortened.

/// Parses a Retry-After value, which is a number of seconds or a date (RFC 9110, 10.2.3).
/// Returns seconds from 0 to `max_retry_after`; empty if the value is invalid. `now` is in seconds since 1970-01-01.
std::optional<std::int64_t> read_retry_after(std::string_view text, std::int64_t now) noexcept;

}  // namespace apus::codec::fields

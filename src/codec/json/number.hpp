// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ascii.hpp"

#include <cstdint>
#include <string_view>

namespace apus::codec::json {

/// The parts of a number in a document.
struct number_text {
    const char* begin = nullptr;
    const char* end = nullptr;
    std::uint64_t digits = 0;  ///< All digits as one integer, unless `many`.
    int exponent = 0;          ///< The number is `digits` times ten to the power of `exponent`.
    bool negative = false;
    bool whole = true;  ///< The number has no fraction and no exponent.
    bool many = false;  ///< The digits do not fit into 64 bits.

    std::string_view text() const noexcept { return {begin, static_cast<std::size_t>(end - begin)}; }
};

/// Parses a number (RFC 8259, 6).
/// Returns null and moves `at` after the number, or returns a description of the expected token if the number is
/// malformed.
const char* read_number(const char*& at, const char* end, number_text& number) noexcept;

/// Converts to the nearest double. Returns false if the number is too large.
bool to_double(const number_text& number, double& value) noexcept;

/// Converts to the absolute value of an integer.
/// 2.0 and 0.2e1 are integers, as in JSON Schema. Returns false if the number is not an integer, or if its absolute
/// value is 2^64 or more.
bool to_magnitude(const number_text& number, std::uint64_t& value) noexcept;

/// Converts to an integer. Returns false if the number is not an integer, or is out of range.
inline bool to_integer(const number_text& number, std::int64_t& value) noexcept {
    constexpr std::uint64_t top = std::uint64_t(1) << 63;
    std::uint64_t digits = number.digits;
    if (number.whole ? number.many : !to_magnitude(number, digits)) return false;
    if (digits > top - !number.negative) return false;
    value = static_cast<std::int64_t>(number.negative ? 0 - digits : digits);
    return true;
}
inline bool to_natural(const number_text& number, std::uint64_t& value) noexcept {
    std::uint64_t digits = number.digits;
    if (number.whole ? number.many : !to_magnitude(number, digits)) return false;
    if (number.negative && digits != 0) return false;
    value = digits;
    return true;
}

}  // namespace apus::codec::json

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ascii.hpp"

#include <cstdint>
#include <string_view>

namespace apus::codec::json {

/// A number as it was written, taken apart.
struct number_text {
    const char* begin = nullptr;
    const char* end = nullptr;
    std::uint64_t digits = 0;  ///< All of them as one integer, unless `many`.
    int exponent = 0;          ///< The power of ten that `digits` is multiplied with.
    bool negative = false;
    bool whole = true;  ///< Neither a fraction nor an exponent was written.
    bool many = false;  ///< The digits do not fit into 64 bits.

    std::string_view text() const noexcept { return {begin, static_cast<std::size_t>(end - begin)}; }
};

/// What should stand where a number's grammar is broken (RFC 8259, 6), or null: `number` is whole, and `at`
/// behind it.
const char* read_number(const char*& at, const char* end, number_text& number) noexcept;

/// The double that is nearest. False: it is over the greatest one.
bool to_double(const number_text& number, double& value) noexcept;

/// The integer without its sign, if the number is one, however it was written: 2.0 and 0.2e1 are 2, as they are
/// to JSON Schema. False: it is none, or is not below 2^64.
bool to_magnitude(const number_text& number, std::uint64_t& value) noexcept;

/// The integer, if the number is one. False: it is none, or does not fit.
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

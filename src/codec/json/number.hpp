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
    bool whole = true;         ///< Neither a fraction nor an exponent was written.
    bool many = false;         ///< The digits do not fit into 64 bits.

    std::string_view text() const noexcept { return {begin, static_cast<std::size_t>(end - begin)}; }
};

/// What should stand where a number's grammar is broken (RFC 8259, 6), or null: `number` is whole, and `at`
/// behind it.
const char* read_number(const char*& at, const char* end, number_text& number) noexcept;

/// The double that is nearest. False: it is over the greatest one.
bool to_double(const number_text& number, double& value) noexcept;

/// The integer, if it was written as one. False: it was not, or does not fit.
inline bool to_integer(const number_text& number, std::int64_t& value) noexcept {
    constexpr std::uint64_t top = std::uint64_t(1) << 63;
    if (!number.whole || number.many || number.digits > top - !number.negative) return false;
    value = static_cast<std::int64_t>(number.negative ? 0 - number.digits : number.digits);
    return true;
}
inline bool to_natural(const number_text& number, std::uint64_t& value) noexcept {
    if (!number.whole || number.many || (number.negative && number.digits != 0)) return false;
    value = number.digits;
    return true;
}

}  // namespace apus::codec::json

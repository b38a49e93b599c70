// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <cstdint>

// Prefixed integers of HPACK and QPACK (RFC 7541, 5.1).

namespace apus::codec::hpack {

constexpr unsigned max_integer = 6;  ///< Maximum bytes of a 32-bit integer.

/// Reads the integer at `at`.
/// If the result is `done`, moves `at` after the integer. `prefix`: number of bits of the integer in its first byte, 1
/// to 8. Returns `bad` if the integer has more than 32 bits, or more than five bytes after the first.
inline outcome read_integer(const char*& at, const char* end, unsigned prefix, std::uint32_t& value) noexcept {
    if (at == end) return outcome::partial;
    const std::uint32_t most = (1U << prefix) - 1;
    std::uint64_t sum = static_cast<unsigned char>(*at) & most;
    const char* next = at + 1;
    if (sum == most) {
        for (unsigned shift = 0;; shift += 7) {
            if (shift > 28) return outcome::bad;
            if (next == end) return outcome::partial;
            const auto byte = static_cast<unsigned char>(*next++);
            sum += std::uint64_t{byte & 0x7fU} << shift;
            if (sum > 0xffffffff) return outcome::bad;
            if (byte < 0x80) break;
        }
    }
    at = next;
    value = static_cast<std::uint32_t>(sum);
    return outcome::done;
}

/// Writes `value` in at most `max_integer` bytes and returns the end.
/// `first`: the bits above the prefix.
constexpr char* write_integer(char* to, unsigned first, unsigned prefix, std::uint32_t value) noexcept {
    const std::uint32_t most = (1U << prefix) - 1;
    if (value < most) {
        *to++ = static_cast<char>(first | value);
        return to;
    }
    *to++ = static_cast<char>(first | most);
    for (value -= most; value >= 0x80; value >>= 7) *to++ = static_cast<char>(value | 0x80);
    *to++ = static_cast<char>(value);
    return to;
}

}  // namespace apus::codec::hpack

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace apus::codec::trace_context {

using trace_id = std::array<unsigned char, 16>;
using span_id = std::array<unsigned char, 8>;

/// Contents of a `traceparent` field: a span, and the flags of its trace (W3C Trace Context, 3.2).
struct parent {
    static constexpr std::uint8_t sampled_flag = 1, random_flag = 2;

    trace_id trace{};
    span_id span{};
    std::uint8_t flags = 0;  ///< `sampled_flag` and `random_flag`; other bits are 0.

    bool sampled() const noexcept { return flags & sampled_flag; }
    bool operator==(const parent&) const = default;
};

constexpr std::size_t parent_size = 55;

/// Parses the value of a `traceparent` field, without white space around it.
/// Returns an empty optional if it is invalid. From a version later than 00, reads the parts that version 00 defines
/// (3.3).
std::optional<parent> read_parent(std::string_view) noexcept;

/// Writes the `parent_size` bytes of a `traceparent` field of version 00, without a NUL.
void write_parent(const parent&, char* out) noexcept;

/// Writes two lower-case hexadecimal digits for each byte.
template <std::size_t N>
void write_id(const std::array<unsigned char, N>& id, char* out) noexcept {
    constexpr std::string_view digits = "0123456789abcdef";
    for (const unsigned char byte : id) {
        *out++ = digits[byte >> 4U];
        *out++ = digits[byte & 15U];
    }
}

}  // namespace apus::codec::trace_context

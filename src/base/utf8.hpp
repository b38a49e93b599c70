// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ascii.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace apus::base {

/// Whether each byte is below 0x80.
inline bool is_ascii(std::string_view text) noexcept {
    constexpr std::uint64_t tops = 0x8080808080808080;
    constexpr std::size_t size = sizeof tops;
    const char* const begin = text.data();
    std::uint64_t all = 0;
    if (text.size() < size) {
        for (const char c : text) all |= static_cast<unsigned char>(c);
        return (all & 0x80U) == 0;
    }
    for (std::size_t at = 0; at + size < text.size(); at += size) all |= load_word<std::uint64_t>(begin + at);
    all |= load_word<std::uint64_t>(begin + text.size() - size);  // overlaps the word before
    return (all & tops) == 0;
}

/// Returns the size of the UTF-8 sequence that begins at `at`: 1 for ASCII.
/// Returns 0 if the sequence is invalid: truncated, overlong, a surrogate, or over U+10FFFF (RFC 3629, 4).
std::size_t utf8_sequence(std::string_view text, std::size_t at) noexcept;

/// Whether `text` is valid UTF-8.
bool is_utf8(std::string_view text) noexcept;

/// Returns the text with U+FFFD in place of each byte that is not part of a valid sequence.
std::string repaired_utf8(std::string_view text);

/// Appends a character, which is at most U+10FFFF and not a surrogate.
void append_utf8(std::string& to, unsigned point);

}  // namespace apus::base

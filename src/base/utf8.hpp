// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace apus::base {

/// Returns the size of the UTF-8 sequence that begins at `at`: 1 for ASCII.
/// Returns 0 if the sequence is invalid: truncated, overlong, a surrogate, or over U+10FFFF (RFC 3629, 4).
std::size_t utf8_sequence(std::string_view text, std::size_t at) noexcept;

/// Whether `text` is valid UTF-8.
bool is_utf8(std::string_view text) noexcept;

/// Appends a character, which is at most U+10FFFF and not a surrogate.
void append_utf8(std::string& to, unsigned point);

}  // namespace apus::base

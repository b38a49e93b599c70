// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace apus::base {

/// The size of the UTF-8 sequence that begins at `at`: 1 for ASCII. 0 if none does: it is cut
/// short, longer than need be, a surrogate, or over U+10FFFF (RFC 3629, 4).
std::size_t utf8_sequence(std::string_view text, std::size_t at) noexcept;

/// Whether all of `text` is UTF-8.
bool is_utf8(std::string_view text) noexcept;

/// Adds a character, which is at most U+10FFFF and no surrogate.
void append_utf8(std::string& to, unsigned point);

}  // namespace apus::base

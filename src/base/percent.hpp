// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ascii.hpp"

#include <string>
#include <string_view>

namespace apus::base {

/// Appends `text`, percent-encoded (RFC 3986, 2.1).
/// Bytes for which `keep(char)` returns true are not encoded.
template <class Keep>
void append_percent_encoded(std::string& to, std::string_view text, Keep keep) {
    constexpr char digits[] = "0123456789ABCDEF";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (keep(c)) to += c;
        else ((to += '%') += digits[byte >> 4]) += digits[byte & 15];
    }
}

/// Whether a character is unreserved (RFC 3986, 2.3).
/// Such characters need no percent-encoding in any part of a URL.
constexpr bool is_unreserved(char c) noexcept {
    return is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

}  // namespace apus::base

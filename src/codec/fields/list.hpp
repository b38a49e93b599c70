// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ascii.hpp"

#include <string_view>

namespace apus::codec::fields {

/// Returns text without the white space around it (RFC 9110, 5.6.3).
inline std::string_view trimmed(std::string_view text) noexcept {
    while (!text.empty() && base::is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && base::is_blank(text.back())) text.remove_suffix(1);
    return text;
}

/// Removes the next item from a comma-separated list and returns it trimmed (RFC 9110, 5.6.1).
/// Does not support quoted strings. Items may be empty; callers must ignore empty items.
inline std::string_view next_of_list(std::string_view& list) noexcept {
    const auto comma = list.find(',');
    const std::string_view item = list.substr(0, comma);
    list.remove_prefix(comma == list.npos ? list.size() : comma + 1);
    return trimmed(item);
}

/// Removes the text up to and including the first `mark`, and returns the part before the mark,
/// trimmed. Without a mark, removes all text. Ignores marks in quoted strings.
inline std::string_view take_until(std::string_view& text, char mark) noexcept {
    bool quoted = false;
    std::size_t end = 0;
    for (; end < text.size() && (quoted || text[end] != mark); ++end) {
        if (text[end] == '"') quoted = !quoted;
        else if (quoted && text[end] == '\\' && end + 1 < text.size()) ++end;
    }
    const std::string_view taken = trimmed(text.substr(0, end));
    text.remove_prefix(end == text.size() ? end : end + 1);
    return taken;
}

}  // namespace apus::codec::fields

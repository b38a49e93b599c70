// SPDX-License-Identifier: Apache-2.0
#include "postgres/json_members.hpp"

namespace apus::postgres {
namespace {

// Returns the position after the string that begins at `at`.
std::size_t skip_string(std::string_view text, std::size_t at) noexcept {
    for (++at; at < text.size() && text[at] != '"'; ++at)
        if (text[at] == '\\') ++at;
    return at < text.size() ? at + 1 : text.size();
}

std::size_t skip_value(std::string_view text) noexcept {
    std::size_t depth = 0, at = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (depth == 0 && (c == ',' || c == ']' || c == '}')) break;
        if (c == '"') {
            at = skip_string(text, at);
            continue;
        }
        if (c == '{' || c == '[') ++depth;
        if (c == '}' || c == ']') --depth;
        ++at;
    }
    return at;
}

}  // namespace

std::string_view json_members::next() noexcept {
    if (left_.starts_with(',')) left_.remove_prefix(1);
    if (object_ && left_.starts_with('"')) {
        left_.remove_prefix(skip_string(left_, 0));
        if (left_.starts_with(':')) left_.remove_prefix(1);
    }
    const auto value = left_.substr(0, skip_value(left_));
    left_.remove_prefix(value.size());
    return value;
}

}  // namespace apus::postgres

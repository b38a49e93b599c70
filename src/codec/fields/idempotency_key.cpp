// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/idempotency_key.hpp"

#include <cstddef>

namespace apus::codec::fields {
namespace {

constexpr std::size_t longest_key = 255;

bool is_content_of_string(std::string_view text) noexcept {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] < ' ' || text[i] > '~' || text[i] == '"') return false;
        if (text[i] != '\\') continue;
        if (++i == text.size() || (text[i] != '"' && text[i] != '\\')) return false;
    }
    return true;
}

bool is_bare_key(std::string_view text) noexcept {
    constexpr std::string_view excluded = "\"\\,;";
    for (const char c : text)
        if (c <= ' ' || c > '~' || excluded.contains(c)) return false;
    return true;
}

}  // namespace

std::optional<std::string_view> read_idempotency_key(std::string_view value) noexcept {
    const bool quoted = value.size() >= 2 && value.front() == '"' && value.back() == '"';
    const std::string_view key = quoted ? value.substr(1, value.size() - 2) : value;
    if (key.empty() || key.size() > longest_key) return std::nullopt;
    if (!(quoted ? is_content_of_string(key) : is_bare_key(key))) return std::nullopt;
    return key;
}

}  // namespace apus::codec::fields

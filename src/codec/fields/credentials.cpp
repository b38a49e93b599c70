// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/credentials.hpp"

#include "base/ascii.hpp"

namespace apus::codec::fields {
namespace {

bool in_token68(char c) noexcept {
    return base::is_letter(c) || base::is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~' || c == '+' ||
           c == '/';
}

bool is_token68(std::string_view text) noexcept {
    const std::size_t padding = text.find_last_not_of('=');
    if (padding == text.npos) return false;
    for (const char c : text.substr(0, padding + 1))
        if (!in_token68(c)) return false;
    return true;
}

}  // namespace

std::optional<credentials> read_credentials(std::string_view value) noexcept {
    const std::string_view scheme = value.substr(0, value.find(' '));
    if (scheme.empty()) return std::nullopt;
    for (const char c : scheme)
        if (!base::is(c, base::token_byte)) return std::nullopt;
    std::string_view token = value.substr(scheme.size());
    token.remove_prefix(token.find_first_not_of(' ') == token.npos ? token.size() : token.find_first_not_of(' '));
    if (!token.empty() && !is_token68(token)) return std::nullopt;
    return credentials{scheme, token};
}

}  // namespace apus::codec::fields

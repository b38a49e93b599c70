// SPDX-License-Identifier: Apache-2.0
#include "codec/multipart/parameter.hpp"

#include "base/ascii.hpp"

namespace apus::codec::multipart {
namespace {

constexpr parsed<parameter> bad{outcome::bad};

std::size_t skip_blanks(std::string_view text, std::size_t at) noexcept {
    while (at < text.size() && base::is_blank(text[at])) ++at;
    return at;
}

std::size_t skip_token(std::string_view text, std::size_t at) noexcept {
    while (at < text.size() && base::is(text[at], base::token_byte)) ++at;
    return at;
}

// Returns the position of the closing quote of the string that begins at `at`, or npos.
std::size_t closing_quote(std::string_view text, std::size_t at) noexcept {
    for (; at < text.size() && text[at] != '"'; ++at) {
        const bool escapes = text[at] == '\\' && at + 1 < text.size() && (text[at + 1] == '"' || text[at + 1] == '\\');
        if (escapes) ++at;
    }
    return at < text.size() ? at : text.npos;
}

}  // namespace

parsed<parameter> read_parameter(std::string_view text) noexcept {
    std::size_t at = skip_blanks(text, 0);
    if (at == text.size()) return {outcome::done, {}, at, nullptr};
    if (text[at] != ';') return bad;
    at = skip_blanks(text, at + 1);
    parameter found;
    std::size_t end = skip_token(text, at);
    found.name = text.substr(at, end - at);
    if (found.name.empty() || end == text.size() || text[end] != '=') return bad;
    at = end + 1;
    if (at < text.size() && text[at] == '"') {
        end = closing_quote(text, at + 1);
        if (end == text.npos) return bad;
        found.value = text.substr(at + 1, end - at - 1);
        return {outcome::done, found, end + 1, nullptr};
    }
    end = skip_token(text, at);
    found.value = text.substr(at, end - at);
    if (found.value.empty()) return bad;
    return {outcome::done, found, end, nullptr};
}

}  // namespace apus::codec::multipart

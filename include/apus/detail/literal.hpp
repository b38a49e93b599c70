// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace apus::detail {

/// A string literal as a template argument.
template <std::size_t N>
struct literal {
    char bytes[N]{};
    consteval literal(const char (&text)[N]) {
        for (std::size_t i = 0; i < N; ++i) bytes[i] = text[i];
    }
    constexpr std::string_view view() const { return {bytes, N - 1}; }
};

/// Whether a text is a token (RFC 9110, 5.6.2), as names of header fields and cookies must be.
constexpr bool is_token(std::string_view text) {
    for (const char c : text) {
        const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!word && std::string_view("!#$%&'*+-.^_`|~").find(c) == std::string_view::npos) return false;
    }
    return !text.empty();
}

}  // namespace apus::detail

// SPDX-License-Identifier: Apache-2.0
#include "codec/nats/subject.hpp"

#include <algorithm>

namespace apus::codec::nats {
namespace {

bool is_name_byte(char c) noexcept { return static_cast<unsigned char>(c) > ' ' && c != 127; }

bool is_plain(std::string_view token) noexcept {
    return !token.empty() && std::ranges::all_of(token, [](char c) { return is_name_byte(c) && c != '*' && c != '>'; });
}

template <class F>
bool each_token(std::string_view text, F good) noexcept {
    if (text.size() > max_subject) return false;
    while (true) {
        const std::size_t dot = text.find('.');
        const bool last = dot == text.npos;
        if (!good(text.substr(0, dot), last)) return false;
        if (last) return true;
        text.remove_prefix(dot + 1);
    }
}

}  // namespace

bool is_subject(std::string_view text) noexcept {
    return each_token(text, [](std::string_view token, bool) { return is_plain(token); });
}

bool is_pattern(std::string_view text) noexcept {
    return each_token(text, [](std::string_view token, bool last) {
        return is_plain(token) || token == "*" || (last && token == ">");
    });
}

bool is_queue(std::string_view text) noexcept {
    return !text.empty() && text.size() <= max_subject && std::ranges::all_of(text, is_name_byte);
}

}  // namespace apus::codec::nats

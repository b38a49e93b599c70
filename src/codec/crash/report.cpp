// SPDX-License-Identifier: Apache-2.0
#include "codec/crash/report.hpp"

#include <algorithm>

namespace apus::codec::crash {
namespace {

constexpr std::string_view digits = "0123456789abcdef";

bool printable(char c) noexcept { return c >= ' ' && c <= '~'; }

}  // namespace

std::size_t escape(std::string_view text, std::span<char> to) noexcept {
    constexpr std::size_t longest = 3;
    std::size_t size = 0;
    for (const char c : text) {
        if (to.size() - size < longest) break;
        if (printable(c) && c != '%') {
            to[size++] = c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        to[size++] = '%';
        to[size++] = digits[byte >> 4U];
        to[size++] = digits[byte & 15U];
    }
    return size;
}

std::string unescaped(std::string_view field) {
    std::string made;
    for (std::size_t i = 0; i < field.size(); ++i) {
        const std::size_t high = field[i] == '%' && i + 2 < field.size() ? digits.find(field[i + 1]) : digits.npos;
        const std::size_t low = high != digits.npos ? digits.find(field[i + 2]) : digits.npos;
        if (low == digits.npos) {
            made += field[i];
            continue;
        }
        made += static_cast<char>(high << 4U | low);
        i += 2;
    }
    return made;
}

std::expected<line, flaw> parse(std::string_view text) noexcept {
    if (text.size() > max_line) return std::unexpected(flaw::too_long);
    if (!std::ranges::all_of(text, [](char c) { return printable(c) || c == '\t'; }))
        return std::unexpected(flaw::unprintable);
    line made;
    made.key = text.substr(0, text.find('\t'));
    if (made.key.empty()) return std::unexpected(flaw::no_key);
    text.remove_prefix(made.key.size());
    for (std::size_t i = 0; !text.empty(); ++i) {
        if (i == max_fields) return std::unexpected(flaw::too_many_fields);
        text.remove_prefix(1);
        made.fields[i] = text.substr(0, text.find('\t'));
        text.remove_prefix(made.fields[i].size());
    }
    return made;
}

}  // namespace apus::codec::crash

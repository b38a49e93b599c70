// SPDX-License-Identifier: Apache-2.0
#include "cli/diagnosis/plain_text.hpp"

#include <algorithm>
#include <array>

namespace apus::cli::diagnosis {
namespace {

constexpr std::size_t max_bytes = 2000;
constexpr std::array<std::string_view, 4> quotes = {"\xe2\x80\x98", "\xe2\x80\x99", "\xe2\x80\x9c", "\xe2\x80\x9d"};

// Returns the length of the escape sequence at the beginning of a text: a control sequence (ECMA-48, 5.4) or two bytes.
std::size_t escape_length(std::string_view text) {
    if (text.size() < 2 || text[1] != '[') return std::min<std::size_t>(text.size(), 2);
    const std::size_t end = text.find_first_not_of("0123456789;:?", 2);
    return end == text.npos ? text.size() : end + 1;
}

}  // namespace

std::string plain(std::string_view line) {
    std::string made;
    while (!line.empty() && made.size() < max_bytes) {
        std::size_t used = 1;
        if (line[0] == '\x1b') {
            used = escape_length(line);
        } else if (std::ranges::any_of(quotes, [&](std::string_view quote) { return line.starts_with(quote); })) {
            made += '\'';
            used = 3;
        } else if (line[0] == '`') {
            made += '\'';
        } else if (line[0] == '\t') {
            made += ' ';
        } else if (line[0] == '>' && made.ends_with("> ")) {
            made.back() = '>';  // g++ prints the type as list<int> >
        } else if (static_cast<unsigned char>(line[0]) >= ' ' && line[0] != '\x7f') {
            made += line[0];
        }
        line.remove_prefix(used);
    }
    return made;
}

}  // namespace apus::cli::diagnosis

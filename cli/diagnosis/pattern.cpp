// SPDX-License-Identifier: Apache-2.0
#include "cli/diagnosis/pattern.hpp"

namespace apus::cli::diagnosis {
namespace {

// A wildcard of a pattern and the literal text after it.
struct piece {
    std::string_view name;  // empty for a star
    bool some = false;      // matches at least one character
    std::string_view literal;
};

// Removes the text up to the next wildcard from `pattern` and returns it.
std::string_view next_literal(std::string_view& pattern) {
    const std::size_t end = pattern.find_first_of("{*");
    const std::string_view literal = pattern.substr(0, end);
    pattern.remove_prefix(literal.size());
    return literal;
}

// Removes a wildcard and the literal after it from `pattern`. An unclosed brace counts as a star.
piece next_piece(std::string_view& pattern) {
    piece next;
    std::size_t used = 1;
    if (pattern[0] == '{') {
        const std::size_t end = pattern.find('}');
        used = end == pattern.npos ? pattern.size() : end + 1;
        if (end != pattern.npos) {
            next.name = pattern.substr(1, end - 1);
            next.some = true;
        }
    }
    pattern.remove_prefix(used);
    next.literal = next_literal(pattern);
    return next;
}

// Returns the position of the literal after a wildcard. The last literal must match at the end.
std::size_t place_of(const piece& wanted, std::string_view text, bool last) {
    const std::size_t least = wanted.some ? 1 : 0;
    if (!last) return text.find(wanted.literal, least);
    if (text.size() < wanted.literal.size() + least || !text.ends_with(wanted.literal)) return text.npos;
    return text.size() - wanted.literal.size();
}

}  // namespace

std::optional<captures> match(std::string_view pattern, std::string_view text) {
    const std::string_view begin = next_literal(pattern);
    if (!text.starts_with(begin)) return std::nullopt;
    text.remove_prefix(begin.size());
    captures found;
    while (!pattern.empty()) {
        const piece wanted = next_piece(pattern);
        const std::size_t at = place_of(wanted, text, pattern.empty());
        if (at == text.npos) return std::nullopt;
        if (!wanted.name.empty()) found.emplace_back(wanted.name, text.substr(0, at));
        text.remove_prefix(at + wanted.literal.size());
    }
    if (!text.empty()) return std::nullopt;
    return found;
}

std::string_view find(const captures& from, std::string_view name) {
    for (const auto& [other, value] : from) {
        if (other == name) return value;
    }
    return {};
}

std::string fill(std::string_view text, const captures& with) {
    std::string made;
    while (!text.empty()) {
        const std::size_t open = text.find('{');
        made += text.substr(0, open);
        if (open == text.npos) break;
        const std::size_t close = text.find('}', open);
        const std::string_view value =
            close == text.npos ? std::string_view() : find(with, text.substr(open + 1, close - open - 1));
        const std::size_t used = value.empty() ? open + 1 : close + 1;
        if (value.empty()) made += '{';
        else made += value;
        text.remove_prefix(used);
    }
    return made;
}

}  // namespace apus::cli::diagnosis

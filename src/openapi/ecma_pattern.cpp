// SPDX-License-Identifier: Apache-2.0
#include "openapi/ecma_pattern.hpp"

#include <algorithm>

namespace apus::openapi {
namespace {

// The character class of the escape `\letter`; empty if the letter is not a class escape.
std::string_view ascii_class(char letter) {
    switch (letter) {
        case 'd': return "0-9";
        case 'w': return "A-Za-z0-9_";
        case 's': return " \\t\\n\\v\\f\\r";
        default: return {};
    }
}

// Appends a literal character, with a backslash only where necessary: with the flag u, ECMA-262 rejects unnecessary
// backslashes.
void append_literal(std::string& out, char c, bool in_brackets) {
    if (std::string_view(in_brackets ? "\\]^-" : "^$\\.*+?()[]{}|").contains(c)) out += '\\';
    out += c;
}

// Appends the character class that begins at `at`, and returns the position after it.
std::size_t append_brackets(std::string& out, std::string_view pattern, std::size_t at) {
    out += '[';
    ++at;
    if (pattern[at] == '^') out += pattern[at++];
    for (bool first = true; at < pattern.size() && (first || pattern[at] != ']'); ++at, first = false) {
        const char c = pattern[at];
        if (c == '\\') {
            const std::string_view among = ascii_class(pattern[++at]);
            if (among.empty()) append_literal(out, pattern[at], true);
            else out += among;
        } else if (pattern.substr(at).size() > 3 && pattern[at + 1] == '-' && pattern[at + 2] != ']') {
            append_literal(out, c, true);
            out += '-';
            append_literal(out, pattern[at + 2], true);
            at += 2;
        } else {
            append_literal(out, c, true);
        }
    }
    out += ']';
    return at + 1;
}

}  // namespace

std::string ecma_pattern(std::string_view pattern) {
    std::string out = "^(?:";
    for (std::size_t at = 0; at < pattern.size();) {
        const char c = pattern[at];
        if (c == '[') {
            at = append_brackets(out, pattern, at);
            continue;
        }
        std::size_t size = 1;
        if (c == '\\') {
            size = 2;
            const std::string_view among = ascii_class(pattern[at + 1]);
            if (among.empty()) append_literal(out, pattern[at + 1], false);
            else ((out += '[') += among) += ']';
        } else if (c == '{') {  // a repetition; patterns with other braces do not compile
            size = std::min(pattern.find('}', at), pattern.size() - 1) - at + 1;
            out += pattern.substr(at, size);
        } else if (c == '.') {
            out += "[\\s\\S]";  // any character, including line ends
        } else if (c == '}' || c == ']') {
            append_literal(out, c, false);
        } else {
            out += c;
        }
        at += size;
    }
    return out += ")$";
}

}  // namespace apus::openapi

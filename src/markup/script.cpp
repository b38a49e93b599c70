// SPDX-License-Identifier: Apache-2.0
#include "markup/script.hpp"

#include "base/ascii.hpp"

#include <string_view>

namespace apus::markup {
namespace {

using at = script_place::at;
using slash = script_place::slash;

bool in_word(char c) {
    return base::is_letter(c) || base::is_digit(c) || c == '_' || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

// Whether a slash after this word begins a regular expression; after other words it is a division.
bool pattern_follows(std::string_view word) {
    for (const std::string_view known :
         {"return", "typeof", "case", "do", "else", "in", "instanceof", "new", "void", "delete", "throw"})
        if (word == known) return true;
    return false;
}

// Whether the word is a keyword in some contexts and an identifier in others.
bool is_unclear(std::string_view word) { return word == "of" || word == "await" || word == "yield"; }

void end_word(script_place& p) {
    if (p.word.empty()) return;
    const bool unclear = p.next_slash == slash::unknown || is_unclear(p.word);  // `a.in / b`
    p.next_slash = !pattern_follows(p.word) && !is_unclear(p.word) ? slash::division
                   : unclear                                       ? slash::unknown
                                                                   : slash::pattern;
    p.word.clear();
}

void advance_code(script_place& p, char c) {
    if (in_word(c)) {
        if (p.word.size() < 16) p.word += c;
        return;
    }
    end_word(p);
    switch (c) {
        case ' ':
        case '\t':
        case '\r':
        case '\n': return;
        case '/': p.where = at::slash; return;
        case '"':
        case '\'': p.where = at::text, p.quote = c; return;
        case '`': p.where = at::template_text; return;
        case ']': p.next_slash = slash::division; return;
        case '.':
        case ')':                                         // of `if (a) /b/`, or of `(a) / b`
        case '}': p.next_slash = slash::unknown; return;  // of a block, or of an object
        case '+':
        case '-': p.next_slash = slash::unknown; return;  // `a++ / b` or `a + /b/`
        default: p.next_slash = slash::pattern; return;
    }
}

void advance_slash(script_place& p, char c) {
    if (c == '/') p.where = at::line_comment;
    else if (c == '*') p.where = at::block_comment;
    else {
        if (p.next_slash == slash::unknown) p.lost = true;
        const bool pattern = p.next_slash == slash::pattern;
        p.where = pattern ? at::pattern : at::code;
        p.next_slash = slash::pattern;
        advance(p, c);
    }
}

void advance_pattern(script_place& p, char c) {
    const bool in_class = p.where == at::pattern_class;
    if (c == '\\') p.where = in_class ? at::escaped_class : at::escaped_pattern;
    else if (c == '\n') p.where = at::code, p.lost = true;
    else if (in_class) p.where = c == ']' ? at::pattern : at::pattern_class;
    else if (c == '[') p.where = at::pattern_class;
    else if (c == '/') p.where = at::code, p.next_slash = slash::division;
}

}  // namespace

void advance(script_place& p, char c) {
    switch (p.where) {
        case at::code: return advance_code(p, c);
        case at::slash: return advance_slash(p, c);
        case at::text:
            if (c == '\\') p.where = at::escaped_text;
            else if (c == p.quote) p.where = at::code, p.quote = 0, p.next_slash = slash::division;
            else if (c == '\n') p.where = at::code, p.quote = 0, p.lost = true;
            return;
        case at::escaped_text: p.where = at::text; return;
        case at::template_text:
            if (c == '\\') p.where = at::escaped_template;
            else if (c == '$') p.lost = true;  // a `${` expression may contain further backticks
            else if (c == '`') p.where = at::code, p.next_slash = slash::division;
            return;
        case at::escaped_template: p.where = at::template_text; return;
        case at::line_comment:
            if (c == '\n' || c == '\r') p.where = at::code;
            return;
        case at::block_comment:
            if (c == '*') p.where = at::block_comment_star;
            return;
        case at::block_comment_star:
            if (c == '/') p.where = at::code;
            else if (c != '*') p.where = at::block_comment;
            return;
        case at::pattern:
        case at::pattern_class: return advance_pattern(p, c);
        case at::escaped_pattern: p.where = at::pattern; return;
        case at::escaped_class: p.where = at::pattern_class; return;
    }
}

bool rest(script_place& p) {
    end_word(p);
    switch (p.where) {
        case at::slash:
        case at::escaped_text:
        case at::escaped_template:
        case at::block_comment_star:
        case at::escaped_pattern:
        case at::escaped_class: return false;
        default: return true;
    }
}

bool join(script_place& into, const script_place& other) {
    if (into.where != other.where || into.quote != other.quote) return false;
    if (into.next_slash != other.next_slash) into.next_slash = slash::unknown;
    into.lost = into.lost || other.lost;
    return true;
}

}  // namespace apus::markup

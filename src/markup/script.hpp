// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace apus::markup {

/// Tokenizer state within JavaScript or JSON content of a script.
struct script_place {
    enum class at : std::uint8_t {
        code,
        slash,          ///< After a `/` that begins a comment, a regular expression, or a division.
        text,           ///< In a string quoted by `quote`.
        escaped_text,   ///< After a backslash in a string.
        template_text,  ///< Between backticks.
        escaped_template,
        line_comment,
        block_comment,
        block_comment_star,
        pattern,  ///< In a regular expression.
        escaped_pattern,
        pattern_class,  ///< In brackets within a regular expression.
        escaped_class
    };
    /// Meaning of a `/` at this position.
    enum class slash : std::uint8_t {
        pattern,
        division,
        unknown
    };
    at where = at::code;
    slash next_slash = slash::pattern;
    char quote = 0;
    bool lost = false;   ///< The state is ambiguous from here on.
    std::string word{};  ///< The current identifier.

    bool operator==(const script_place&) const = default;
};

/// Advances over a byte of literal text.
void advance(script_place&, char c);

/// Call before each tag of the template. Returns false within a token.
bool rest(script_place&);

bool join(script_place& into, const script_place& other);

}  // namespace apus::markup

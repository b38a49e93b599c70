// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace apus::markup {

/// Where in JavaScript or JSON the content of a script is.
struct script_place {
    enum class at : std::uint8_t {
        code,
        slash,          ///< Behind a `/` that begins a comment, a pattern, or divides.
        text,           ///< In a string, in quotes of `quote`.
        escaped_text,   ///< Behind a backslash in it.
        template_text,  ///< Between backticks.
        escaped_template,
        line_comment,
        block_comment,
        block_comment_star,
        pattern,  ///< In a regular expression,
        escaped_pattern,
        pattern_class,  ///< and in brackets in it.
        escaped_class
    };
    /// What a `/` would be here.
    enum class slash : std::uint8_t {
        pattern,
        division,
        unknown
    };
    at where = at::code;
    slash next_slash = slash::pattern;
    char quote = 0;
    bool lost = false;   ///< What follows cannot be told apart for sure.
    std::string word{};  ///< The identifier that has begun.

    bool operator==(const script_place&) const = default;
};

/// Goes on by a byte of fixed text.
void advance(script_place&, char c);

/// Where a tag of the template stands. False: in the middle of something.
bool rest(script_place&);

bool join(script_place& into, const script_place& other);

}  // namespace apus::markup

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace apus::cli::modules {

/// A token of C++ source.
struct source_token {
    enum class is {
        name,       ///< An identifier, a keyword or a number.
        literal,    ///< The text between quotes, with escapes as written.
        mark,       ///< Any other character.
        inclusion,  ///< <name> of an #include.
        quoted_inclusion
    };
    is kind;
    std::string_view text;
    std::size_t line;

    bool operator==(std::string_view other) const { return kind != is::literal && text == other; }
};

/// Returns the tokens of a source. `text` of each token is a view into the source.
std::vector<source_token> tokens_of(std::string_view source);

}  // namespace apus::cli::modules

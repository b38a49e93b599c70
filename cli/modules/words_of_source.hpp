// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace apus::cli::modules {

/// A piece of C++ source that is neither space nor comment.
struct source_word {
    enum class is {
        name,       ///< An identifier, a keyword or a number.
        literal,    ///< What stands between quotes, without them and as it is written.
        mark,       ///< Any other character.
        inclusion,  ///< <name> behind #include.
        quoted_inclusion
    };
    is kind;
    std::string_view text;
    std::size_t line;

    bool operator==(std::string_view other) const { return kind != is::literal && text == other; }
};

/// The words of a source, which must outlive them.
std::vector<source_word> words_of(std::string_view source);

}  // namespace apus::cli::modules

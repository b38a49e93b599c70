// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::lifetimes {

/// A reference or view, in a coroutine or in a task, that can outlive its object.
struct finding {
    std::string file;
    int line = 0, column = 0;
    std::string what;  ///< The error, in a sentence.
    std::string fix;   ///< The fix, in a sentence.

    auto operator<=>(const finding&) const = default;
};

/// Returns commands for clang-query-19 that print the functions of the files below an absolute
/// path.
std::vector<std::string> query_of(std::string_view folder);

/// Returns the findings in the output of clang-query, in order and without duplicates.
std::vector<finding> findings_in(std::string_view dump);

}  // namespace apus::cli::lifetimes

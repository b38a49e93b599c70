// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/diagnosis/report.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::diagnosis {

/// What to tell someone about one error: at most three lines.
struct explanation {
    std::string_view rule;  ///< Name of the rule; lives as long as the program.
    std::string what;       ///< What happened, in a sentence.
    place where;            ///< The line to look at, or nowhere.
    std::string fix;        ///< What to do.

    bool operator==(const explanation&) const = default;
};

/// Explains the reports that a rule knows, in their order; equal ones once. At most `most`.
std::vector<explanation> explain(std::span<const report>, std::size_t most = 3);

/// The same from the whole text of a build or of a program that ended.
std::vector<explanation> explain(std::string_view text, std::size_t most = 3);

/// The explanation as lines to print, each with its end:
///
///     error: what happened
///       at: main.cpp:3:5
///      fix: what to do
std::string text_of(const explanation&);

}  // namespace apus::cli::diagnosis

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/diagnosis/report.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::diagnosis {

/// Explanation of an error: at most three lines.
struct explanation {
    std::string_view rule;  ///< Name of the rule; valid as long as the program runs.
    std::string what;       ///< The error, in a sentence.
    place where;            ///< The line to look at; empty if unknown.
    std::string fix;

    bool operator==(const explanation&) const = default;
};

/// Explains the reports that match a rule, in order and without duplicates.
/// Returns at most `most` explanations.
std::vector<explanation> explain(std::span<const report>, std::size_t most = 3);

/// Explains the output of a build, or of a program that has ended.
std::vector<explanation> explain(std::string_view text, std::size_t most = 3);

/// Returns the explanation as lines to print:
///
///     error: what happened
///       at: main.cpp:3:5
///      fix: what to do
std::string text_of(const explanation&);

}  // namespace apus::cli::diagnosis

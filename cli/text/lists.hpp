// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::text {

/// Splits "a|b|c" at `between`. Returns views into `choices`.
std::vector<std::string_view> split(std::string_view choices, char between = '|');

/// Returns a text without leading and trailing blanks.
std::string_view trimmed(std::string_view text);

bool is_choice(std::string_view word, std::string_view choices);

/// Formats choices as "`a`, `b` or `c`".
std::string enumeration(std::string_view choices);

/// Formats a count with its noun: "1 answer", "2 answers".
std::string counted(std::uint64_t count, std::string_view what);

/// Joins the parts into one text, separated by `between`.
std::string joined(const std::vector<std::string>& parts, std::string_view between = " ");

}  // namespace apus::cli::text

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::text {

/// "a|b|c" as a list. Views into `choices`.
std::vector<std::string_view> split(std::string_view choices, char between = '|');

/// Without the blanks around it.
std::string_view trimmed(std::string_view text);

bool is_choice(std::string_view word, std::string_view choices);

/// "`a`, `b` or `c`".
std::string enumeration(std::string_view choices);

}  // namespace apus::cli::text

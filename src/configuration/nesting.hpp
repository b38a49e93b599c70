// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::configuration {

/// Maximum nesting of a key and its value in a file: dots, brackets and braces.
constexpr unsigned max_nesting = 24;

/// Input that toml++ 3.3 cannot parse safely.
struct toml_flaw {
    unsigned line;  ///< From 1; 0: none.
    std::string_view what;
};

/// Finds text that toml++ must not see.
/// That is text nested deeper than `max_nesting`, since it recurses for each dot of a key; and characters outside of
/// strings and comments that are neither ASCII nor printable, on some of which it has undefined behaviour. Takes linear
/// time; any bytes are valid.
toml_flaw find_flaw(std::string_view toml) noexcept;

}  // namespace apus::configuration

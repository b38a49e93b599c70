// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::base {

/// Maximum nesting in a file: dots of a key plus open brackets and braces around its value.
constexpr unsigned max_nesting = 24;

/// Input that toml++ 3.3 cannot parse safely.
struct toml_flaw {
    unsigned line;  ///< Line number, from 1; 0 if the text has no flaw.
    std::string_view what;
};

/// Finds text that toml++ cannot parse safely.
/// First: text nested deeper than `max_nesting`, since toml++ recurses for each dot of a key. Second: characters
/// outside of strings and comments that are not printable ASCII, since toml++ has undefined behavior for some of them.
/// Takes linear time; accepts any bytes.
toml_flaw find_flaw(std::string_view toml) noexcept;

}  // namespace apus::base

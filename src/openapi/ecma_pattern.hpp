// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::openapi {

/// Converts a pattern of rules.hpp to an ECMA-262 regular expression, as JSON Schema requires.
/// The whole text must match. `\d`, `\w` and `\s` are written as ASCII classes, since some implementations extend them
/// to Unicode.
std::string ecma_pattern(std::string_view pattern);

}  // namespace apus::openapi

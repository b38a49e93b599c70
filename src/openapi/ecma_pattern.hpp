// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::openapi {

/// A pattern of rules.hpp as the regular expression of ECMA-262 that JSON Schema has: the whole text
/// must match, and `\d`, `\w` and `\s` mean ASCII in every reader, also in those that take them for Unicode's.
std::string ecma_pattern(std::string_view pattern);

}  // namespace apus::openapi

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::modules {

/// Returns include lines for headers such as "auth/app.hpp", in the order of Google's style: C
/// headers (`.h`), an empty line, then the others; each group is sorted.
std::string inclusions(std::vector<std::string> headers);

/// Adds an include line for a C++ header to a source, at its sorted position or after the first
/// include. Returns the number of added lines.
int include(std::string& source, std::string_view header);

}  // namespace apus::cli::modules

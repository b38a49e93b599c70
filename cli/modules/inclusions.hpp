// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::modules {

/// Returns include lines for headers such as "auth/app.hpp".
/// C headers (`.h`) come first, then an empty line and all other headers. Each group is sorted.
std::string inclusions(std::vector<std::string> headers);

/// Adds an include line for a C++ header to a source, and returns the number of added lines.
/// The line is inserted at its sorted position, or after the first include.
int include(std::string& source, std::string_view header);

}  // namespace apus::cli::modules

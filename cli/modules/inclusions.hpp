// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::modules {

/// A line for each header, such as "auth/app.hpp", in the order of Google's style, which that of a new
/// project follows: those of C (`.h`) first, then an empty line, then the others, each part in order.
std::string inclusions(std::vector<std::string> headers);

/// Adds the line of a header that is not C's to a source, among its like or behind the first inclusion.
/// Returns how many lines the source has more.
int include(std::string& source, std::string_view header);

}  // namespace apus::cli::modules

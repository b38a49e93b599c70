// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::text {

/// The parts as one text, with `between` between each two.
std::string joined(const std::vector<std::string>& parts, std::string_view between = " ");

}  // namespace apus::cli::text

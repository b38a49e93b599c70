// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::work {

/// Returns a command that prints a source's errors without its precompiled header, and writes no
/// output. It is derived from the failed command, which Ninja prints. It is needed because clang suggests no
/// corrections for members of precompiled classes. Empty for other commands.
std::vector<std::string> command_without_precompiled(std::string_view command);

}  // namespace apus::cli::work

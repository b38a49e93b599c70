// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::work {

/// Returns a command that prints a source's errors without its precompiled header, and writes no
/// output. Derived from the failed command as Ninja prints it. Needed because clang suggests no corrections for members
/// of precompiled classes. Empty for every other command.
std::vector<std::string> command_without_precompiled(std::string_view command);

}  // namespace apus::cli::work

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::work {

/// Returns a command that prints the errors of a source without using its precompiled header.
/// `command` is the failed command as Ninja prints it. The new command does not write files. clang suggests corrections
/// for members of a class only if the class is not precompiled. Empty if `command` does not use a precompiled header.
std::vector<std::string> command_without_precompiled(std::string_view command);

}  // namespace apus::cli::work

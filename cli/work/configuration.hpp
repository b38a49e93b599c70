// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// Builds the project's program, and prints its output for an option such as `--config-show`.
/// The program runs in the project's folder, with further `arguments`. Returns its exit status: 2 if the configuration
/// is invalid. Throws E0318 if the program has no configuration.
int print_configuration(const std::string& preset, std::string_view option, std::span<const std::string_view> arguments,
                        terminal::shell& shell);

}  // namespace apus::cli::work

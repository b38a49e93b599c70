// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "cli/doctor/finding.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::doctor {

/// Runs the safe fixes of the findings, and prints one line for each.
/// Returns false if no finding has a safe fix. Throws E0801 if root is required, and E0802 with the output of a command
/// that failed.
bool apply_fixes(std::span<const finding>, bool superuser, terminal::shell&);

}  // namespace apus::cli::doctor

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "cli/doctor/finding.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::doctor {

/// Runs the safe commands of the findings, a line for each. Throws E0801 if there is one and this is not
/// root, and E0802 with what a command said if it fails. Returns whether there was one.
bool mend(std::span<const finding>, bool superuser, terminal::shell&);

}  // namespace apus::cli::doctor

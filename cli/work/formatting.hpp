// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// Lays out the project's sources by clang-format, and names each that changes; with `only_check`, each that would.
/// Returns false if one would. Throws E0107 without clang-format.
bool format(bool only_check, terminal::shell& shell);

}  // namespace apus::cli::work

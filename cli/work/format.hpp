// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// Formats the project's sources with clang-format, and prints the changed files.
/// With `only_check`, changes nothing and returns false if a file would change. Throws E0107 without clang-format.
bool format(bool only_check, terminal::shell& shell);

}  // namespace apus::cli::work

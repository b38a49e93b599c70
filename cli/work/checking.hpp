// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// What to look at.
struct check_options {
    std::string preset;
    bool all = false;  ///< Every source, not only those that git says have changed.
};

/// Checks layout, what clang-tidy finds, and that the app can be made and described. Returns whether all is well.
bool check(const check_options& options, terminal::shell& shell);

}  // namespace apus::cli::work

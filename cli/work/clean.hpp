// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// Selection of files to remove.
struct clean_options {
    std::string preset{};  ///< Removes only the output of this preset; empty: all output.
    bool cache = false;    ///< Removes the programs cached by `program_of_source` instead.
};

/// Removes build output and prints the freed size. Requires a project, except for the cache.
void clean(const clean_options& options, terminal::shell& shell);

}  // namespace apus::cli::work

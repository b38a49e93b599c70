// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// What to remove.
struct clean_options {
    std::string preset{};  ///< Only what this one has built.
    bool cache = false;    ///< In place of it, the programs that `program_of_source` keeps.
};

/// Removes what can be built again, and tells how much that freed. Needs a project, but for the cache.
void clean(const clean_options& options, terminal::shell& shell);

}  // namespace apus::cli::work

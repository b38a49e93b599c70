// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// Selection of files to remove.
struct clean_options {
    std::string preset{};  ///< Only the output of this preset.
    bool cache = false;    ///< Instead of build output: the programs that `program_of_source` caches.
};

/// Removes build output and prints the size freed. Needs a project, unless it cleans the cache.
void clean(const clean_options& options, terminal::shell& shell);

}  // namespace apus::cli::work

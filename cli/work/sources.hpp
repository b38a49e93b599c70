// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/manifest/manifest.hpp"

namespace apus::cli::work {

/// Returns the project's C++ files, relative to its folder and sorted: .cpp, .hpp and .h files.
/// Searches src, include, tests, modules, examples, and the folder itself.
std::vector<std::string> sources_of(const manifest::manifest& project);

/// Returns the sources that differ from the last commit or are untracked.
/// Returns all sources if the project is not in a git repository.
std::vector<std::string> changed_sources_of(const manifest::manifest& project);

/// Returns the first of these programs that is in PATH. Throws E0107 if no program is in PATH.
std::string first_program(const std::vector<std::string>& names);

}  // namespace apus::cli::work

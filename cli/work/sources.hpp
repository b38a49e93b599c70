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

/// Returns the name under which version 19 of an LLVM program is in PATH: `NAME-19` or `NAME`.
/// Other versions format differently and print other warnings. Throws E0107 if PATH has no version 19.
std::string llvm_program(const std::string& name);

}  // namespace apus::cli::work

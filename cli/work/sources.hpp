// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/manifest/manifest.hpp"

namespace apus::cli::work {

/// The project's own C++ files, relative to its folder and in order: .cpp, .hpp and .h of src, include, tests, modules,
/// examples, and of the folder itself.
std::vector<std::string> sources_of(const manifest::manifest& project);

/// Those of them that git says differ from the last commit, or that it does not know; all, where there is no
/// repository.
std::vector<std::string> changed_sources_of(const manifest::manifest& project);

/// The first of these programs that PATH has. Throws E0107.
std::string first_program(const std::vector<std::string>& names);

}  // namespace apus::cli::work

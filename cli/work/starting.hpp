// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// Builds the project's program and becomes it, in the project's folder. Returns never, but by a failure.
int run_project(const std::string& preset, const std::vector<std::string>& arguments, terminal::shell& shell);

/// Becomes the program of a single source: a path that ends in .cpp, or the name of an example of the project.
/// Throws E0304 if there is no such file.
int run_source(const std::string& name, bool release, const std::vector<std::string>& arguments, terminal::shell& shell);

}  // namespace apus::cli::work

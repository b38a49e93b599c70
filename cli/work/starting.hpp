// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// Builds the project's program and becomes it, in the project's folder. Returns never, but by a failure; or with the
/// program's exit status for the presets of sanitizers, whose reports are explained when it has ended.
int run_project(const std::string& preset, const std::vector<std::string>& arguments, terminal::shell& shell);

/// The same with examples/NAME.cpp of the project, which is linked with what the tests are. Throws E0304 if there is
/// none.
int run_example(const std::string& name, const std::string& preset, const std::vector<std::string>& arguments,
                terminal::shell& shell);

/// Becomes the program of a single source, which needs no project. Throws E0304 if there is no such file.
int run_source(const std::string& file, bool release, const std::vector<std::string>& arguments,
               terminal::shell& shell);

}  // namespace apus::cli::work

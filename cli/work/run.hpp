// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// Builds the project's program and executes it in place of the tool, in the project's folder.
/// With a sanitizer, runs the program as a child process, explains its reports and returns its exit status.
int run_project(const std::string& preset, const std::vector<std::string>& arguments, terminal::shell& shell);

/// Runs examples/NAME.cpp like `run_project`. Throws E0304 if the file does not exist.
int run_example(const std::string& name, const std::string& preset, const std::vector<std::string>& arguments,
                terminal::shell& shell);

/// Executes the program of a single source, without a project.
/// Throws E0304 if the file does not exist.
int run_source(const std::string& file, bool release, const std::vector<std::string>& arguments,
               terminal::shell& shell);

}  // namespace apus::cli::work

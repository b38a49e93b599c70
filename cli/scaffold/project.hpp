// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "cli/terminal/shell.hpp"

namespace apus::cli::scaffold {

/// Options for a new project.
struct project_options {
    std::filesystem::path folder{};  ///< Its last component is the project's name if `name` is empty.
    std::string name{};
    std::string_view kind = "empty";  ///< Name of a template.
    bool vscode = false;              ///< Also creates .vscode/tasks.json and launch.json.
    /// Creates a git repository, unless the folder is already in one or git is missing.
    bool git = true;
};

/// Creates a project in an absent or empty folder, atomically.
/// Throws E0207 if the folder is not empty, and E0102 if the project's name is invalid.
void create(const project_options& options, terminal::shell& shell);

/// Adds the missing files of a project to an existing folder. Does not replace existing files.
/// Throws E0207 if the folder already has a project.
void adopt(const project_options& options, terminal::shell& shell);

}  // namespace apus::cli::scaffold

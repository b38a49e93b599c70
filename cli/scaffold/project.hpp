// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "cli/terminal/shell.hpp"

namespace apus::cli::scaffold {

/// What a project is made of.
struct project_options {
    std::filesystem::path folder{};  ///< Its last part is the name, if `name` is empty.
    std::string name{};
    std::string_view kind = "empty";  ///< A template.
    bool vscode = false;              ///< Also .vscode/tasks.json and launch.json.
    bool git = true;                  ///< A repository, if there is a git and none around the folder.
};

/// Makes a project in a folder that is absent or empty: all of it, or nothing. Throws E0207 if there is
/// something in it, E0102 if it cannot be a project's name.
void create(const project_options& options, terminal::shell& shell);

/// Makes a project of a folder as it is: writes what is missing and replaces nothing. Throws E0207 if it is one.
void adopt(const project_options& options, terminal::shell& shell);

}  // namespace apus::cli::scaffold

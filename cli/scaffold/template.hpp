// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::scaffold {

/// A file of a new project.
struct new_file {
    std::filesystem::path path;  ///< Relative to the project's folder.
    std::string content;
};

/// Returns the files of a template for a project with this name.
/// Replaces the word `starter` by the name, with `_` for `-` in C++ and in file names. The template "every" contains
/// the files that all projects share; "vscode" contains the files for VS Code. Throws E0208 if the template is not
/// installed.
std::vector<new_file> files_of(std::string_view template_name, std::string_view project_name);

}  // namespace apus::cli::scaffold

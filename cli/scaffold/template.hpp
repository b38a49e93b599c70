// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::scaffold {

/// A file of a project that is to be made.
struct new_file {
    std::filesystem::path path;  ///< Below the project's folder.
    std::string content;
};

/// The files of a template, for a project of this name: the word `starter` of the template becomes the name,
/// with `_` for `-` where it stands in C++ or in a file's name. "every" holds what all projects have, "vscode"
/// what VS Code reads. Throws E0208 if the installation lacks it.
std::vector<new_file> files_of(std::string_view template_name, std::string_view project_name);

}  // namespace apus::cli::scaffold

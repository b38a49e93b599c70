// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/terminal/shell.hpp"

namespace apus::cli::modules {

/// Options of `apus module new`.
struct module_options {
    std::string name;
    std::string summary{};
    std::string prefix{};  ///< Empty: "/" and the name, with `-` in place of `_`.
    std::vector<std::string> needs{};
    bool library = false;  ///< Whether the module is a library, without routes.
};

/// Creates a module atomically, and mounts it at the comment `// apus: modules` of the application.
/// Without this comment, prints the lines that the user must add. Throws E0601 to E0603.
void make_module(const std::filesystem::path& root, module_options wanted, terminal::shell& shell);

}  // namespace apus::cli::modules

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/terminal/shell.hpp"

namespace apus::cli::modules {

/// What `apus module new` is asked for.
struct wanted_module {
    std::string name;
    std::string summary{};
    std::string prefix{};  ///< Empty: "/" and the name, with `-` for `_`.
    std::vector<std::string> needs{};
    bool library = false;  ///< Without routes of its own.
};

/// Makes the folder of a module, at once and whole, and mounts it where a source of the application has
/// the comment `// apus: modules`; without one, tells which lines to add. Throws E0601 to E0603.
void make_module(const std::filesystem::path& root, wanted_module wanted, terminal::shell& shell);

}  // namespace apus::cli::modules

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "cli/dependencies/resolver.hpp"

namespace apus::cli::dependencies {

/// Writes a registry into apus.toml, after a look at whether it is one. Throws E0410 for what is none.
void add_registry(const manifest::manifest& project, const std::string& name, const std::string& where, modes how,
                  terminal::shell& shell);

/// Takes a registry out of apus.toml. Throws E0411.
void remove_registry(const manifest::manifest& project, const std::string& name, terminal::shell& shell);

/// The registries in the order in which they are asked, one a line.
std::string list_of_registries(const manifest::manifest& project);

/// "name/version  registry" of each package whose name matches, with `*` for any letters. A registry that
/// does not answer is a warning.
std::string search_registries(const manifest::manifest& project, const std::string& pattern, modes how,
                              terminal::shell& shell);

/// Puts the recipe in `folder`, a conanfile.py and what it exports, into a registry: copied into a folder, committed
/// and pushed into a git repository, built and uploaded to a server. Throws E0411, E0412.
void publish(const manifest::manifest& project, const std::string& name, const std::filesystem::path& folder,
             terminal::shell& shell);

}  // namespace apus::cli::dependencies

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "cli/dependencies/resolver.hpp"

namespace apus::cli::dependencies {

/// Adds a registry to apus.toml, after checking it. Throws E0410 if it is not a registry.
void add_registry(const manifest::manifest& project, const std::string& name, const std::string& where, modes how,
                  terminal::shell& shell);

/// Removes a registry from apus.toml. Throws E0411.
void remove_registry(const manifest::manifest& project, const std::string& name, terminal::shell& shell);

/// Returns the registries in search order, one per line.
std::string list_of_registries(const manifest::manifest& project);

/// Returns "name/version  registry" for each package that matches a pattern with `*`.
/// Warns about registries that do not respond.
std::string search_registries(const manifest::manifest& project, const std::string& pattern, modes how,
                              terminal::shell& shell);

/// Publishes the recipe in `folder`, a conanfile.py and its exports, to a registry.
/// If the registry is a folder, copies the recipe there; if it is a git repository, pushes a commit; if it is a server,
/// uploads a built package. Throws E0411, E0412.
void publish(const manifest::manifest& project, const std::string& name, const std::filesystem::path& folder,
             terminal::shell& shell);

}  // namespace apus::cli::dependencies

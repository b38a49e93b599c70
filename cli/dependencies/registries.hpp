// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "cli/dependencies/resolver.hpp"

namespace apus::cli::dependencies {

/// Checks a registry and adds it to apus.toml. Throws E0410 if the location is not a registry.
void add_registry(const manifest::manifest& project, const std::string& name, const std::string& where, modes how,
                  terminal::shell& shell);

/// Removes a registry from apus.toml. Throws E0411 if the project has no such registry.
void remove_registry(const manifest::manifest& project, const std::string& name, terminal::shell& shell);

/// Returns the registries in search order, one per line.
std::string list_of_registries(const manifest::manifest& project);

/// Returns "name/version  registry" for each package that matches a pattern with `*`.
/// Warns about registries that do not respond.
std::string search_registries(const manifest::manifest& project, const std::string& pattern, modes how,
                              terminal::shell& shell);

/// Publishes the recipe in `folder`, a conanfile.py and its exports, to a registry.
/// Copies the recipe to a folder, pushes a commit to a git repository, or uploads a built package to a server. Throws
/// E0411 for an unknown registry, and E0412 if the recipe cannot be published.
void publish(const manifest::manifest& project, const std::string& name, const std::filesystem::path& folder,
             terminal::shell& shell);

}  // namespace apus::cli::dependencies

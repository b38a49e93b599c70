// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/modules/project_sources.hpp"

namespace apus::cli::modules {

/// A violation of module rules, with its position.
struct finding {
    std::string file;  ///< Relative to the project.
    std::size_t line = 1;
    std::string text;
};

/// Returns all findings of `apus module check` in a project, sorted by file and line.
/// Throws E02xx for errors in a module.toml.
std::vector<finding> check(const std::filesystem::path& root);

/// Finds cyclic and unknown needs, folders without module.toml, and invalid names of migrations.
void check_declarations(const std::filesystem::path& root, const std::vector<app_module>& all,
                        std::vector<finding>& found);

/// Finds includes of private headers of other modules, undeclared needs, and unused needs.
void check_boundaries(const std::filesystem::path& root, const std::vector<app_module>& all,
                      const std::vector<project_source>& sources, std::vector<finding>& found);

/// Finds duplicate routes and prefixes, and modules that are mounted at another path or not at all.
void check_routes_and_prefixes(const std::vector<app_module>& all, const std::vector<project_source>& sources,
                               std::vector<finding>& found);

/// Returns a shortest path of needs from one module to another, or an empty list.
/// For equal modules, the path is a cycle: "a", "b", "a".
std::vector<std::string> path_between(const std::vector<app_module>& all, const std::string& from,
                                      const std::string& to);

}  // namespace apus::cli::modules

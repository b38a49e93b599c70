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
/// Throws as `read_all` does.
std::vector<finding> check(const std::filesystem::path& root);

/// Checks declarations: cyclic or unknown needs, folders without module.toml, and names of
/// migrations.
void check_declarations(const std::filesystem::path& root, const std::vector<app_module>& all,
                        std::vector<finding>& found);

/// Checks includes: private headers of other modules, undeclared needs, and unused needs.
void check_boundaries(const std::filesystem::path& root, const std::vector<app_module>& all,
                      const std::vector<project_source>& sources, std::vector<finding>& found);

/// Reports routes and prefixes that two modules claim, and prefixes that are mounted at another
/// path or not at all.
void check_routes_and_prefixes(const std::vector<app_module>& all, const std::vector<project_source>& sources,
                               std::vector<finding>& found);

/// Returns a shortest path of needs from one module to another, or a cycle: "a", "b", "a". Empty if
/// there is none.
std::vector<std::string> path_between(const std::vector<app_module>& all, const std::string& from,
                                      const std::string& to);

}  // namespace apus::cli::modules

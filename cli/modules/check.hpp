// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/modules/project_sources.hpp"

namespace apus::cli::modules {

/// What is wrong with a module, and where.
struct finding {
    std::string file;  ///< Relative to the project.
    std::size_t line = 1;
    std::string text;
};

/// All that `apus module check` looks for in the project of this folder, by file and line. Throws what
/// `read_all` does.
std::vector<finding> check(const std::filesystem::path& root);

/// Needs that lead in a circle, or to no module; folders without a module.toml; names of migrations.
void check_declarations(const std::filesystem::path& root, const std::vector<app_module>& all,
                        std::vector<finding>& found);

/// What is included: private headers of others, modules that are not declared, declarations that are not used.
void check_borders(const std::filesystem::path& root, const std::vector<app_module>& all,
                   const std::vector<project_source>& sources, std::vector<finding>& found);

/// Routes and prefixes that two have, prefixes that are mounted elsewhere or nowhere.
void check_claims(const std::vector<app_module>& all, const std::vector<project_source>& sources,
                  std::vector<finding>& found);

/// A shortest way from a module to another, or to itself, by what each needs: "a", "b", "a". Empty if
/// there is none.
std::vector<std::string> way_between(const std::vector<app_module>& all, const std::string& from,
                                     const std::string& to);

}  // namespace apus::cli::modules

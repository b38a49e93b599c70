// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::modules {

/// A part of a project with enforced dependencies.
/// `modules/NAME/` has public headers in `include/NAME/`, private code in `src/`, and a `module.toml` that lists the
/// needs: the modules that this module uses.
struct app_module {
    std::string name;
    std::string summary{};
    std::string prefix{};                ///< Prefix of its routes, such as "/auth"; empty if it has none.
    std::vector<std::string> needs{};    ///< Modules that this module uses.
    std::vector<std::string> exports{};  ///< Needs whose headers the module's public headers include.

    std::filesystem::path folder{};  ///< Relative to the project: "modules/auth".
    std::size_t prefix_line = 1;     ///< Line in module.toml.
    std::size_t needs_line = 1;
    std::size_t exports_line = 1;

    std::filesystem::path file() const { return folder / "module.toml"; }
};

/// Returns the modules of a project, sorted by name.
/// Ignores folders without a module.toml. Throws E02xx for errors in a module.toml.
std::vector<app_module> read_all(const std::filesystem::path& root);

/// Parses a module.toml; `name` is the module's folder.
app_module read_description(std::string_view text, const std::filesystem::path& name);

/// Returns the folders in `modules/` without a module.toml.
std::vector<std::filesystem::path> folders_without_description(const std::filesystem::path& root);

/// Returns the module with this name, or null.
const app_module* find(const std::vector<app_module>& all, std::string_view name);

/// Returns true for a valid name of a module, a namespace and a folder; otherwise sets `why`.
bool is_module_name(std::string_view name, std::string& why);

/// Returns true for a valid prefix of a mounted app; otherwise sets `why`.
bool is_prefix(std::string_view prefix, std::string& why);

/// Returns "did you mean `x`?" for the most similar module, or an empty string.
std::string closest_module(const std::vector<app_module>& all, std::string_view name);

}  // namespace apus::cli::modules

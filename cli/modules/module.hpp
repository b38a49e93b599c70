// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::modules {

/// A part of a project with borders: `modules/NAME/` with public headers in `include/NAME/`, code of its
/// own in `src/`, and in module.toml what it is and which other modules it uses.
struct app_module {
    std::string name;
    std::string summary{};
    std::string prefix{};                ///< Where its routes stand, as "/auth"; empty if it has none.
    std::vector<std::string> needs{};    ///< Modules that it uses.
    std::vector<std::string> exports{};  ///< Those of them that its public headers include.

    std::filesystem::path folder{};  ///< Relative to the project: "modules/auth".
    std::size_t prefix_line = 1;     ///< In module.toml.
    std::size_t needs_line = 1;
    std::size_t exports_line = 1;

    std::filesystem::path file() const { return folder / "module.toml"; }
};

/// The modules of the project in `root`, by name; none if it has no folder `modules`. A folder in
/// there without a module.toml is left out. Throws E02xx for what is wrong in a module.toml.
std::vector<app_module> read_all(const std::filesystem::path& root);

/// A module by the text of its module.toml, in the folder `name`.
app_module read_description(std::string_view text, const std::filesystem::path& name);

/// Folders in `modules/` that are no module, as there is no module.toml in them.
std::vector<std::filesystem::path> unnamed_folders(const std::filesystem::path& root);

/// The module of this name, or null.
const app_module* find(const std::vector<app_module>& all, std::string_view name);

/// Whether this can be a module's name, which is a namespace and a folder; `why` gets what is wrong.
bool is_module_name(std::string_view name, std::string& why);

/// Whether an app can be mounted here; `why` gets what is wrong.
bool is_prefix(std::string_view prefix, std::string& why);

/// "did you mean `x`?" among the names of modules, or nothing.
std::string meant_module(const std::vector<app_module>& all, std::string_view name);

}  // namespace apus::cli::modules

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/manifest/check_table.hpp"
#include "cli/manifest/dependencies.hpp"
#include "cli/manifest/document.hpp"
#include "cli/manifest/package_table.hpp"

namespace apus::cli::manifest {

/// `[project]`: name, version, authors and license.
struct project_table {
    std::string name;  ///< Also the program's name: letters, digits, - and _; begins with a letter.
    std::string version = "0.1.0";
    long standard = 23;
    std::string description{};
    std::string license{};
    std::string homepage{};
    std::vector<std::string> authors{};
};

/// An entry of `[sdk.profiles]`: a profile that the project defines.
struct sdk_profile {
    std::string name;
    std::vector<std::string> components;
};

/// `[sdk]`: the SDK that the project is built with.
struct sdk_table {
    std::optional<std::string> version{};  ///< Empty: the default SDK.
    std::optional<std::string> profile{};
    std::vector<sdk_profile> profiles{};

    /// Returns the components of a profile that the project defines; empty for all other profiles.
    std::vector<std::string> components_of(std::string_view profile) const;
};

/// `[dev]`: options of `apus dev` and `apus run`.
struct dev_table {
    std::string host = "127.0.0.1";
    long port = 8080;
    std::vector<std::string> hosts{};      ///< Additional host names that `apus dev` serves.
    std::vector<std::string> watch{"."};   ///< Folders and files, relative to the project.
    std::vector<std::string> ignore{};     ///< Names and paths that are not watched, as shell patterns.
    std::vector<std::string> arguments{};  ///< Arguments of the program.
};

/// `[deploy]`: certificate and service of the production host, for `apus doctor production`.
struct deploy_table {
    std::string certificate{};         ///< Certificate file, absolute or relative to the project. Empty: not checked.
    std::string key{};                 ///< Private key file.
    std::vector<std::string> names{};  ///< Host names for which the certificate must be valid.
};

/// `[database]`: options of `apus db`.
struct database_table {
    std::string url{};                      ///< URL, without a password since apus.toml is committed. Empty: not set.
    std::string migrations = "migrations";  ///< Folder, relative to the project.
};

/// The content of apus.toml.
struct manifest {
    std::filesystem::path file;
    std::filesystem::path folder;
    project_table project;
    sdk_table sdk;
    dev_table dev;
    package_table package{};
    deploy_table deploy{};
    check_table check{};
    database_table database{};
    std::vector<dependency> dependencies{};  ///< In the order of apus.toml.
    std::vector<registry> registries{};
};

/// Reads and validates a manifest.
/// Validates every table, so an unknown key is an error for every command.
manifest read(const std::filesystem::path& file);
manifest read(std::string_view text, const std::filesystem::path& file);

/// Returns the manifest of the current folder or of the nearest parent folder that has one.
/// Throws E0201 if no folder has a manifest.
manifest find();

/// Returns the manifest like `find`, or nullopt if no folder has one.
std::optional<manifest> find_if_any();

/// Returns true for a valid project name; otherwise sets `why`.
bool is_project_name(std::string_view name, std::string& why);

}  // namespace apus::cli::manifest

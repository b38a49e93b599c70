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

/// `[project]`: what it is.
struct project_table {
    std::string name;  ///< Letters, digits, - and _; begins with a letter: also the program's name.
    std::string version = "0.1.0";
    long standard = 23;
    std::string description{};
    std::string license{};
    std::string homepage{};
    std::vector<std::string> authors{};
};

/// A profile of the project's own: a line of `[sdk.profiles]`.
struct sdk_profile {
    std::string name;
    std::vector<std::string> components;
};

/// `[sdk]`: which Apus it is built with.
struct sdk_table {
    std::optional<std::string> version{};  ///< None: the one in use.
    std::optional<std::string> profile{};
    std::vector<sdk_profile> profiles{};

    /// The components of a profile of the project's own; none for any other.
    std::vector<std::string> components_of(std::string_view profile) const;
};

/// `[dev]`: what `apus dev` and `apus run` do.
struct dev_table {
    std::string host = "127.0.0.1";
    long port = 8080;
    std::vector<std::string> hosts{};      ///< Further names of hosts that requests to `apus dev` may have.
    std::vector<std::string> watch{"."};   ///< Folders and files, relative to the project.
    std::vector<std::string> ignore{};     ///< Names and paths that are not watched, as patterns of a shell.
    std::vector<std::string> arguments{};  ///< What the program is started with.
};

/// `[deploy]`: what the host has that is to serve it. `apus doctor production` looks at it there.
struct deploy_table {
    std::string certificate{};         ///< A file; relative to the project if it is no absolute path. Empty: none.
    std::string key{};                 ///< The file of its private key.
    std::vector<std::string> names{};  ///< Hosts that the certificate is to be for.
};

/// apus.toml. The tables of other parts are read by those: see `tables`.
struct manifest {
    std::filesystem::path file;
    std::filesystem::path folder;
    project_table project;
    sdk_table sdk;
    dev_table dev;
    package_table package{};
    deploy_table deploy{};
    check_table check{};
    std::vector<dependency> dependencies{};  ///< In the order of the file.
    std::vector<registry> registries{};
};

/// Reads a manifest whole. Every table is looked at by the function for it, so that what nobody knows
/// is refused whatever command is run.
manifest read(const std::filesystem::path& file);
manifest read(std::string_view text, const std::filesystem::path& file);

/// The project that the current folder is in: looks for apus.toml here and above. Throws E0201.
manifest find();

/// The same, or nothing where there is none.
std::optional<manifest> find_if_any();

/// Whether this can be a project's name; `why` gets what is wrong.
bool is_project_name(std::string_view name, std::string& why);

}  // namespace apus::cli::manifest

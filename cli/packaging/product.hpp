// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/manifest/manifest.hpp"

namespace apus::cli::packaging {

/// A processor architecture and its names in other tools.
struct architecture {
    unsigned elf;              ///< Value of e_machine in ELF headers.
    std::string_view name;     ///< Name in uname -m and rpm.
    std::string_view debian;   ///< Name in dpkg and OCI images.
    std::string_view triplet;  ///< Prefix of cross-compilers, and name of library folders.
};

/// Returns the architecture of an ELF program. Throws E0702 for other files and architectures.
const architecture& architecture_of(const std::filesystem::path& program);

/// Returns an architecture by name, such as "aarch64"; "" is the architecture of this machine.
/// Throws E0702 for an unsupported name.
const architecture& architecture_named(std::string_view name);

/// Input of a package: the manifest with defaults, and the program.
struct product {
    const manifest::manifest& of;
    std::string name;     ///< Name of the packages: lower-case letters, digits and `-`.
    std::string version;  ///< Version with `~` for `-`: dpkg and rpm sort "1.0.0~rc.1" before "1.0.0".
    std::string program;  ///< File name in /usr/bin.
    std::string user;
    /// "Name <address>" in `[package]`, otherwise the first author of this form; may be empty.
    std::string maintainer;
    std::string summary;
    std::string description;
    std::vector<std::string> folders{};  ///< Project folders that the program reads from its working directory.
    std::filesystem::path binary{};      ///< The program without symbols.
    /// libapus.so without symbols; empty if the program does not need it.
    std::filesystem::path apus_library{};
    std::filesystem::path sdk{};  ///< SDK of the build; empty if unknown.
    const architecture* machine = nullptr;
    std::int64_t epoch = 0;  ///< Seconds since 1970; the time of all files in a package.
};

/// Returns the package description of a project.
/// `epoch` is SOURCE_DATE_EPOCH, otherwise the time of the last commit, otherwise 1980-01-01. Throws E0206 if the
/// project's version is invalid in packages.
product describe(const manifest::manifest& of);

/// Returns the working directory of the service.
/// /usr/share/NAME if the package has project folders, otherwise the data folder /var/lib/NAME.
std::string working_folder(const product& of);

/// Formats `epoch` in UTC as strftime(3) does.
std::string date(std::int64_t epoch, const char* format);

}  // namespace apus::cli::packaging

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/manifest/manifest.hpp"

namespace apus::cli::packaging {

/// A machine, by the names that others have for it.
struct architecture {
    unsigned elf;              ///< e_machine of its programs.
    std::string_view name;     ///< Of uname -m and of rpm.
    std::string_view debian;   ///< Of dpkg and of OCI images.
    std::string_view triplet;  ///< Of its folders of libraries, and of its cross-compiler.
};

/// The machine that an ELF program is for. Throws E0702 for what is none, or for another machine.
const architecture& architecture_of(const std::filesystem::path& program);

/// By its name, "aarch64"; the one that the tool runs on for "". Throws E0702.
const architecture& architecture_named(std::string_view name);

/// What is packaged: what the manifest says, filled up, and the program.
struct product {
    const manifest::manifest& of;
    std::string name;     ///< Of the packages: small letters, digits, - .
    std::string version;  ///< As dpkg and rpm order them: "1.0.0~rc.1" comes before "1.0.0".
    std::string program;  ///< The file's name in /usr/bin.
    std::string user;
    /// "Name <address>": of the packages, else the first author who has that form; may be empty.
    std::string maintainer;
    std::string summary;
    std::string description;
    std::vector<std::string> folders{};  ///< Of the project, that the program reads where it runs.
    std::filesystem::path binary{};      ///< Stripped.
    /// libapus.so, stripped, once it has been found that the program needs it.
    std::filesystem::path apus_library{};
    std::filesystem::path sdk{};  ///< The Apus that it was built with, if that is known.
    const architecture* machine = nullptr;
    std::int64_t epoch = 0;  ///< Seconds since 1970, for every time that a package has in it.
};

/// Of a project. `epoch` is what SOURCE_DATE_EPOCH says, else the time of the last commit, else the
/// beginning of 1980. Throws E0206 if the project's version cannot be a package's.
product describe(const manifest::manifest& of);

/// Where the service runs: /usr/share/NAME with its folders, or its data if there are none.
std::string working_folder(const product& of);

/// `epoch` in UTC, by a format of strftime(3).
std::string date(std::int64_t epoch, const char* format);

}  // namespace apus::cli::packaging

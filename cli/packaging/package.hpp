// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "cli/manifest/manifest.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::packaging {

/// How `apus package` was called.
struct options {
    std::string format;                             ///< "tar", "deb", "rpm", "oci" or "all".
    std::filesystem::path out;                      ///< Where packages go; made if it is not there.
    std::optional<std::filesystem::path> binary{};  ///< A program that is there, in place of the release build.
    bool builds = true;                             ///< Whether to build, or take what the last build left.
    std::string preset = "release";                 ///< Of CMakePresets.json, to build by.
    std::string target{};                           ///< A machine; empty: this one.
    std::string base{};                             ///< Of images; empty: the manifest's.
    std::optional<std::filesystem::path> key{};     ///< A private key that signs.
};

/// Makes packages, and beside each its bill of materials (CycloneDX), its SHA-256 and, with a key, its
/// signature. A package is there whole or not at all, also if this is interrupted or the disk is full.
void package(const manifest::manifest& of, const options&, terminal::shell&);

}  // namespace apus::cli::packaging

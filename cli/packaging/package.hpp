// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "cli/manifest/manifest.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::packaging {

/// Options of `apus package`.
struct options {
    std::string format;                             ///< "tar", "deb", "rpm", "oci" or "all".
    std::filesystem::path out;                      ///< Output folder; created if absent.
    std::optional<std::filesystem::path> binary{};  ///< An existing program, used in place of the release build.
    bool builds = true;                             ///< Whether to build the program first.
    std::string preset = "release";                 ///< Preset of CMakePresets.json to build with.
    std::string target{};                           ///< Name of the architecture; empty: this machine's.
    std::string base{};                             ///< Base of images; empty: the base in the manifest.
    std::optional<std::filesystem::path> key{};     ///< Private key for signatures.
};

/// Creates packages, each with a CycloneDX bill of materials and a SHA-256. Signs them with `key`.
/// Atomic: an interruption or a full disk leaves no partial package.
void package(const manifest::manifest& of, const options&, terminal::shell&);

}  // namespace apus::cli::packaging

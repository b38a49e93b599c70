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
    bool builds = true;                             ///< True: build the program; false: package the last build.
    std::string preset = "release";                 ///< Preset of CMakePresets.json to build with.
    std::string target{};                           ///< Machine name; empty: this machine.
    std::string base{};                             ///< Base of images; empty: the one in the manifest.
    std::optional<std::filesystem::path> key{};     ///< Private key for signatures.
};

/// Creates packages, each with a bill of materials (CycloneDX), a SHA-256 and, with a key, a
/// signature. Atomic: an interruption or a full disk leaves no partial package.
void package(const manifest::manifest& of, const options&, terminal::shell&);

}  // namespace apus::cli::packaging

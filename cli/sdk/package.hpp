// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "cli/installation/store.hpp"

namespace apus::cli::sdk {

/// Returns the package name of an SDK for this machine: "apus-sdk-0.1.0-web-linux-x86_64.tar.gz".
std::string package_of(std::string_view sdk);

/// Returns true if a file's name is that of a package for this machine.
bool matches_architecture(std::string_view file);

/// Packs an SDK into `out` reproducibly, with its SHA-256 and, with a private key, a signature.
/// Writes all of these files or none. If an identical package exists, keeps its signature. Returns the package's path.
std::filesystem::path pack(const installation::sdk& which, const std::filesystem::path& out,
                           const std::optional<std::filesystem::path>& key);

/// Verifies a package and unpacks it into `store`.
/// Checks SHA-256 and, with a public key, the signature, on a private copy. An interruption leaves nothing. Throws
/// E0505 if it is not an SDK for this machine.
installation::sdk install(const std::filesystem::path& package, const std::filesystem::path& store,
                          const std::optional<std::filesystem::path>& key);

}  // namespace apus::cli::sdk

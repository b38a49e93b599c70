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

/// Returns true if a file name is the name of a package for this machine.
bool matches_architecture(std::string_view file);

/// Packs an SDK into `out` reproducibly, with its SHA-256 and, with a private key, a signature.
/// Writes all of these files, or none of them on failure. Keeps the signature of an existing identical package. Returns
/// the path of the package.
std::filesystem::path pack(const installation::sdk& which, const std::filesystem::path& out,
                           const std::optional<std::filesystem::path>& key);

/// Verifies a package and unpacks it into `store`.
/// Verifies the SHA-256 and, with a public key, the signature of a private copy. An interruption leaves no files.
/// Throws E0505 if the package is not an SDK for this machine.
installation::sdk install(const std::filesystem::path& package, const std::filesystem::path& store,
                          const std::optional<std::filesystem::path>& key);

}  // namespace apus::cli::sdk

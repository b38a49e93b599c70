// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "cli/installation/store.hpp"

namespace apus::cli::sdk {

/// What the package of an SDK for this machine is called: "apus-sdk-0.1.0-web-linux-x86_64.tar.gz".
std::string package_of(std::string_view sdk);

/// Whether a file is called as a package for this machine.
bool is_for_this_machine(std::string_view file);

/// Packs an SDK into `out`, the same bytes from the same files, with its SHA-256 and, with a private key, its signature
/// beside it: all of them or none. A signature that stands there stays if the package is the same. Gives the
/// package's path.
std::filesystem::path pack(const installation::sdk& which, const std::filesystem::path& out,
                           const std::optional<std::filesystem::path>& key);

/// Checks a package against the SHA-256 beside it and, with a public key, its signature; unpacks it into `store`; what
/// is interrupted leaves nothing. What is checked is a copy of it, and what is unpacked is that. Throws E0505 for
/// what is no
/// package of an SDK for this machine.
installation::sdk install(const std::filesystem::path& package, const std::filesystem::path& store,
                          const std::optional<std::filesystem::path>& key);

}  // namespace apus::cli::sdk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/installation/store.hpp"

namespace apus::cli::sdk {

/// Packs an SDK into `out`: apus-sdk-NAME-linux-MACHINE.tar.gz, the same bytes from the same files, and its SHA-256 and, with
/// a private key, its signature beside it. Gives the package's path.
std::filesystem::path pack(const installation::sdk& which, const std::filesystem::path& out, const std::optional<std::filesystem::path>& key);

/// Where packages are fetched from: a folder, or an http, https or file URL, with index.toml.
struct offered {
    std::string name;    ///< Of the SDK.
    std::string file;    ///< Of the package, below the mirror.
    std::string sha256;  ///< Of that file.
};

/// What stands in an index.toml; `name` is for messages. Throws E02xx.
std::vector<offered> read_index(std::string_view text, const std::string& name);

/// What a mirror's index.toml lists: `[[sdk]]` tables of name, file and sha256. Throws E0504.
std::vector<offered> index_of(const std::string& mirror);

/// Fetches a package into `folder`, with what is beside it, and compares its SHA-256 with the index's. Throws E0504, E0505.
std::filesystem::path fetch(const std::string& mirror, const offered& what, const std::filesystem::path& folder);

/// Checks a package against the SHA-256 beside it and, with a public key, its signature; unpacks it into `store`; what
/// is interrupted leaves nothing. Throws E0505 for what is no package of an SDK for this machine.
installation::sdk install(const std::filesystem::path& package, const std::filesystem::path& store, const std::optional<std::filesystem::path>& key);

}  // namespace apus::cli::sdk

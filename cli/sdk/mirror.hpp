// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::sdk {

/// An SDK that a mirror provides.
/// A mirror is a folder, or an http, https or file URL, with index.toml.
struct mirror_entry {
    std::string name;    ///< Name of the SDK.
    std::string file;    ///< File name of the package, relative to the mirror.
    std::string sha256;  ///< SHA-256 of that file.
};

/// Parses an index.toml; messages refer to `name`. Throws E02xx.
std::vector<mirror_entry> read_index(std::string_view text, const std::string& name);

/// Returns the SDKs for this machine in a mirror's index.toml.
/// The file has `[[sdk]]` tables with name, file and sha256. Throws E0504 if the index cannot be read, and E0505 for a
/// file name that does not match the SDK.
std::vector<mirror_entry> index_of(const std::string& mirror);

/// Downloads a package and its signature files into `folder`, and verifies its SHA-256.
/// Throws E0504 if the package cannot be downloaded, and E0505 if its SHA-256 differs.
std::filesystem::path fetch(const std::string& mirror, const mirror_entry& what, const std::filesystem::path& folder);

}  // namespace apus::cli::sdk

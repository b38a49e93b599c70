// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::sdk {

/// Where packages are fetched from: a folder, or an http, https or file URL, with index.toml.
struct offered {
    std::string name;    ///< Of the SDK.
    std::string file;    ///< Of the package, below the mirror.
    std::string sha256;  ///< Of that file.
};

/// What stands in an index.toml; `name` is for messages. Throws E02xx.
std::vector<offered> read_index(std::string_view text, const std::string& name);

/// What a mirror's index.toml lists for this machine: `[[sdk]]` tables of name, file and sha256. Throws E0504, and
/// E0505
/// for a file that is not called as the package of its SDK, and so would be another's.
std::vector<offered> index_of(const std::string& mirror);

/// Fetches a package into `folder`, with what is beside it, and compares its SHA-256 with the index's. Throws E0504,
/// E0505.
std::filesystem::path fetch(const std::string& mirror, const offered& what, const std::filesystem::path& folder);

}  // namespace apus::cli::sdk

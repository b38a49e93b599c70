// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace apus::cli::sdk {

/// Components, system packages and libraries of an SDK, from its own files.
struct contents {
    std::vector<std::string> components;  ///< "core", "http2".
    std::vector<std::string> packages;    ///< Debian packages that programs need at build time, in order.
    std::vector<std::string> libraries;   ///< For example "libapus.a", "libapus.so".
};

contents contents_of(const std::filesystem::path& folder);

/// Returns entries that are not allowed in an SDK: special files, and links to files outside.
/// Sorted by path.
std::vector<std::string> disallowed_entries(const std::filesystem::path& folder);

/// Writes SHA256SUMS with one line per file, for `changed_files`.
void write_sums(const std::filesystem::path& folder);

/// Returns the files that differ from SHA256SUMS, are missing or unlisted, and disallowed entries.
/// Throws E0503 without SHA256SUMS.
std::vector<std::string> changed_files(const std::filesystem::path& folder);

}  // namespace apus::cli::sdk

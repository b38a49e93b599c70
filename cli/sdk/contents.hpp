// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace apus::cli::sdk {

/// Components, system packages and libraries of an SDK, from its own files.
struct contents {
    std::vector<std::string> components;  ///< "core", "http2".
    std::vector<std::string> packages;    ///< Debian packages that builds of programs need, sorted.
    std::vector<std::string> libraries;   ///< For example "libapus.a", "libapus.so".
};

contents contents_of(const std::filesystem::path& folder);

/// Returns entries not allowed in an SDK: special files, and links to files outside the SDK.
/// Sorted by path.
std::vector<std::string> disallowed_entries(const std::filesystem::path& folder);

/// Writes SHA256SUMS with one line per file, for `changed_files`.
void write_sums(const std::filesystem::path& folder);

/// Returns a message for each changed, missing or unlisted file and for each disallowed entry.
/// Throws E0503 without SHA256SUMS.
std::vector<std::string> changed_files(const std::filesystem::path& folder);

}  // namespace apus::cli::sdk

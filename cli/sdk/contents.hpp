// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace apus::cli::sdk {

/// What an SDK offers, as its own files say.
struct contents {
    std::vector<std::string> components;  ///< "core", "http2".
    std::vector<std::string> packages;    ///< Of Debian, that programs are built with, in order.
    std::vector<std::string> libraries;   ///< "libapus.a", "libapus.so".
};

contents contents_of(const std::filesystem::path& folder);

/// What an SDK cannot have in it: what is neither a folder nor a file, and links to anything but a file of its own. By
/// path, in order.
std::vector<std::string> strays_in(const std::filesystem::path& folder);

/// Writes SHA256SUMS: a line for each file of the SDK, by which `differing` finds what has changed since.
void write_sums(const std::filesystem::path& folder);

/// Files that are not as SHA256SUMS says, that are missing, or that it does not name, and strays. Throws E0503 if
/// there is no SHA256SUMS.
std::vector<std::string> differing(const std::filesystem::path& folder);

}  // namespace apus::cli::sdk

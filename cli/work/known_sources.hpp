// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::work {

/// Returns true if CMake must run again when these files change. Compares file names only.
bool is_read_by_cmake(std::string_view build_ninja, const std::vector<std::string>& paths);

/// Returns a file for `ninja -f` that builds without running CMake.
/// The caller must know that no source was added or removed.
std::string build_file_of_known_sources(const std::filesystem::path& folder);

}  // namespace apus::cli::work

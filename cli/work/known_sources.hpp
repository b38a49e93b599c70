// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::work {

/// Returns true if CMake must run again when these files change, judging by their names.
bool is_read_by_cmake(std::string_view build_ninja, const std::vector<std::string>& paths);

/// Returns a file for `ninja -f` that builds without checking for added and removed sources by
/// CMake. The caller must know that there are none.
std::string build_file_of_known_sources(const std::filesystem::path& folder);

}  // namespace apus::cli::work

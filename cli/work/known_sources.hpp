// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::work {

/// Whether a build.ninja of CMake's has to be made anew after a change of one of these files, as far as their names
/// tell.
bool is_read_by_cmake(std::string_view build_ninja, const std::vector<std::string>& paths);

/// The file, for `ninja -f`, with which Ninja builds what is in build.ninja of that folder without asking CMake first
/// whether sources have come or gone, which starts CMake each time. Only for who knows that none has.
std::string build_file_of_known_sources(const std::filesystem::path& folder);

}  // namespace apus::cli::work

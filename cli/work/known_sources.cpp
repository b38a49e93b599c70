// SPDX-License-Identifier: Apache-2.0
#include "cli/work/known_sources.hpp"

#include <algorithm>

namespace apus::cli::work {

namespace {

namespace fs = std::filesystem;

constexpr const char* other_name = ".apus-known-sources.ninja";

// Escapes a name as in a build.ninja file.
std::string escaped_for_ninja(std::string_view name) {
    std::string made;
    for (const char c : name) {
        if (c == ' ' || c == '$' || c == ':') made += '$';
        made += c;
    }
    return made;
}

}  // namespace

bool is_read_by_cmake(std::string_view build_ninja, const std::vector<std::string>& paths) {
    const std::size_t begin = build_ninja.find(": RERUN_CMAKE ");
    if (begin == build_ninja.npos) return true;
    const std::string_view inputs = build_ninja.substr(begin, build_ninja.find('\n', begin) - begin);
    return std::ranges::any_of(paths, [&](const std::string& path) {
        return inputs.contains("/" + escaped_for_ninja(fs::path(path).filename().string()));
    });
}

// Returns a link to build.ninja with another name. CMake's rule regenerates build.ninja only, so Ninja does not run
// CMake for a file with another name.
std::string build_file_of_known_sources(const fs::path& folder) {
    std::error_code none;
    if (!fs::is_symlink(folder / other_name, none)) fs::create_symlink("build.ninja", folder / other_name);
    return other_name;
}

}  // namespace apus::cli::work

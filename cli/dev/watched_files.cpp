// SPDX-License-Identifier: Apache-2.0
#include "cli/dev/watched_files.hpp"

#include <algorithm>
#include <filesystem>

#include <fnmatch.h>

#include "cli/text/lists.hpp"

namespace apus::cli::dev {

namespace {

constexpr std::string_view known_extensions[] = {
    ".c",     ".cc",  ".cpp",  ".cppm",        ".cxx",   ".h",   ".hh",       ".hpp",
    ".hxx",   ".inc", ".inl",  ".ipp",         ".ixx",   ".tpp", ".proto",    ".sql",  // extensions of sources
    ".cmake", ".in",                                                                   // extensions of build files
    ".css",   ".htm", ".html", ".js",          ".map",   ".mjs", ".mustache", ".sass",
    ".scss",  ".ts",  ".wasm", ".webmanifest", ".xhtml",  // extensions of pages
    ".avif",  ".bmp", ".gif",  ".ico",         ".jpeg",  ".jpg", ".otf",      ".png",
    ".svg",   ".ttf", ".webp", ".woff",        ".woff2",  // extensions of assets
};
constexpr std::string_view known_names[] = {"apus.toml", "apus.lock", "CMakeLists.txt", "CMakePresets.json",
                                            "CMakeUserPresets.json"};
constexpr std::string_view whole_folders[] = {"src",    "include", "modules",   "pages", "public",
                                              "static", "assets",  "templates", "cmake"};
// Files that programs write: databases with their journals, logs, and temporary files.
constexpr const char* written_by_programs[] = {
    "*.db",        "*.db-*",    "*.db3",  "*.db3-*", "*.sqlite", "*.sqlite-*", "*.sqlite3",
    "*.sqlite3-*", "*-journal", "*-wal",  "*-shm",   "*.mdb",    "*.log",      "*.log.[0-9]*",
    "*.pid",       "*.lock",    "*.sock", "*.tmp",   "*.part",   "*.swp",      "*.profraw"};

bool matches(const std::string& pattern, std::string_view path) {
    return fnmatch(pattern.c_str(), std::string(path).c_str(), FNM_PATHNAME) == 0;
}

std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_below(std::string_view path, std::string_view folder) {
    return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

bool is_of_tools(std::string_view name) {
    return name.empty() || name.starts_with('.') || name.ends_with('~') || name == "build" || name == "4913" ||
           name == "compile_commands.json";
}

}  // namespace

watched_files::watched_files(watch_purpose purpose, const std::vector<std::string>& roots,
                             std::vector<std::string> ignored)
    : purpose_(purpose), whole_(std::begin(whole_folders), std::end(whole_folders)), ignored_(std::move(ignored)) {
    for (const std::string& root : roots) {
        std::string folder = std::filesystem::path(root).lexically_normal().string();
        while (folder.ends_with('/')) folder.pop_back();
        if (folder != ".") whole_.push_back(std::move(folder));
    }
    if (purpose == watch_purpose::testing) whole_.emplace_back("tests");
}

// A pattern with a slash matches paths relative to the project's folder; other patterns match names in any folder.
bool watched_files::is_ignored(std::string_view path) const {
    return std::ranges::any_of(ignored_, [&](const std::string& pattern) {
        return matches(pattern, pattern.contains('/') ? path : name_of(path));
    });
}

bool watched_files::watches_folder(std::string_view folder) const {
    if (is_of_tools(name_of(folder)) || is_ignored(folder) || folder == "dist") return false;
    return purpose_ == watch_purpose::testing || std::ranges::find(whole_, folder) != whole_.end() ||
           name_of(folder) != "tests";
}

bool watched_files::counts(std::string_view file) const {
    const std::string_view name = name_of(file);
    if (is_of_tools(name) || is_ignored(file) || written_.contains(file)) return false;
    if (std::ranges::find(known_names, name) != std::end(known_names)) return true;
    if (std::ranges::any_of(written_by_programs, [&](const char* pattern) { return matches(pattern, name); }))
        return false;
    const std::size_t dot = name.rfind('.');
    if (dot != name.npos && std::ranges::find(known_extensions, name.substr(dot)) != std::end(known_extensions))
        return true;
    return std::ranges::any_of(whole_, [&](const std::string& folder) { return is_below(file, folder); });
}

}  // namespace apus::cli::dev

// SPDX-License-Identifier: Apache-2.0
#include "cli/dev/watched_project.hpp"

namespace apus::cli::dev {

namespace {

constexpr std::size_t max_named = 6;  // maximum number of listed files; switching branches may change many

}  // namespace

watched_project::watched_project(manifest::manifest project, watch_purpose purpose)
    : project_(std::move(project)), purpose_(purpose) {
    watch();
}

// Watches the files that define the build even if `dev.watch` does not list them.
void watched_project::watch() {
    std::vector<std::string> roots = project_.dev.watch;
    for (const char* name : {"apus.toml", "CMakeLists.txt", "CMakePresets.json", "cmake"}) roots.emplace_back(name);
    files_.emplace(project_.folder, roots, watched_files(purpose_, project_.dev.watch, project_.dev.ignore));
}

changes watched_project::wait(terminal::shell& shell) {
    changes seen = files_->wait();
    std::size_t told = 0;
    for (const std::string& path : seen.paths) {
        if (seen.paths.size() > max_named && told == max_named - 1) break;
        shell.event("Changed", path);
        ++told;
    }
    if (told < seen.paths.size()) shell.event("Changed", std::to_string(seen.paths.size() - told) + " more files");
    return seen;
}

void watched_project::update(const changes& what) {
    if (manifest_valid_ && !what.paths.contains("apus.toml")) return;
    manifest_valid_ = false;
    manifest::manifest read = manifest::read(project_.file);
    manifest_valid_ = true;
    const bool watches_the_same = read.dev.watch == project_.dev.watch && read.dev.ignore == project_.dev.ignore;
    project_ = std::move(read);
    if (!watches_the_same) watch();
}

}  // namespace apus::cli::dev

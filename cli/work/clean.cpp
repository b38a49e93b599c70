// SPDX-License-Identifier: Apache-2.0
#include "cli/work/clean.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "cli/manifest/manifest.hpp"
#include "cli/system/files.hpp"
#include "cli/system/paths.hpp"
#include "cli/work/presets.hpp"

namespace apus::cli::work {

namespace {

// Formats a size: "3.4 MB".
std::string size_text(std::uintmax_t bytes) {
    if (bytes < 1000) return std::to_string(bytes) + " bytes";
    const bool small = bytes < 1000 * 1000;
    const std::uintmax_t tenths = bytes / (small ? 100 : 100'000);
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + (small ? " kB" : " MB");
}

namespace fs = std::filesystem;

std::vector<fs::path> folders_in(const fs::path& folder) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.is_directory() && !entry.is_symlink()) found.push_back(entry.path());
    return found;
}

// Locks build folders until this object is destroyed, even after they are removed.
class locked_folders {
public:
    locked_folders(std::vector<fs::path> folders, terminal::shell& shell) {
        std::ranges::sort(folders);  // the same order in all processes prevents deadlocks
        for (const fs::path& folder : folders)
            held_.push_back(std::make_unique<system::folder_lock>(folder, [&] {
                shell.event("Waiting", "for another `apus` process that builds in build/" + folder.filename().string());
            }));
    }

private:
    std::vector<std::unique_ptr<system::folder_lock>> held_{};
};

}  // namespace

void clean(const clean_options& options, terminal::shell& shell) {
    if (options.cache) {
        shell.event("Freed", size_text(system::remove_tree(system::cache_folder() / "run")) + " of cached programs");
        return;
    }
    const manifest::manifest project = manifest::find();
    const std::string name = options.preset.empty() ? "build" : "build/" + preset_for({.named = options.preset});
    if (!fs::exists(project.folder / name)) return shell.event("Freed", "nothing: " + name + " does not exist");
    const locked_folders ours(
        options.preset.empty() ? folders_in(project.folder / name) : std::vector{project.folder / name}, shell);
    shell.event("Freed", size_text(system::remove_tree(project.folder / name)) + " of " + name);
}

}  // namespace apus::cli::work

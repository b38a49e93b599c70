// SPDX-License-Identifier: Apache-2.0
#include "cli/work/cleaning.hpp"

#include "cli/manifest/manifest.hpp"
#include "cli/system/files.hpp"
#include "cli/system/paths.hpp"
#include "cli/work/presets.hpp"

namespace apus::cli::work {

namespace {

// "3.4 MB"
std::string size_text(std::uintmax_t bytes) {
    if (bytes < 1000) return std::to_string(bytes) + " bytes";
    const bool small = bytes < 1000 * 1000;
    const std::uintmax_t tenths = bytes / (small ? 100 : 100'000);
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + (small ? " kB" : " MB");
}

}  // namespace

void clean(const clean_options& options, terminal::shell& shell) {
    if (options.cache) {
        shell.event("Freed", size_text(system::remove_tree(system::cache_folder() / "run")) + " of kept programs");
        return;
    }
    const manifest::manifest project = manifest::find();
    const std::string name = options.preset.empty() ? "build" : "build/" + preset_for({.named = options.preset});
    if (!std::filesystem::exists(project.folder / name)) return shell.event("Freed", "nothing: there is no " + name);
    shell.event("Freed", size_text(system::remove_tree(project.folder / name)) + " of " + name);
}

}  // namespace apus::cli::work

// SPDX-License-Identifier: Apache-2.0
#include "cli/work/presets.hpp"

#include <cstdlib>

#include "cli/errors/failure.hpp"
#include "cli/installation/store.hpp"
#include "cli/system/paths.hpp"

namespace apus::cli::work {

namespace fs = std::filesystem;

std::string preset_for(const preset_wish& wish) {
    if (wish.named &&
        (wish.named->empty() || wish.named->find_first_of("/ ") != wish.named->npos || wish.named->starts_with('.')))
        throw errors::usage("E0102", "`" + std::string(*wish.named) + "` is not a valid preset name",
                            "CMakePresets.json lists the presets of the project");
    if (wish.named) return std::string(*wish.named);
    if (wish.sanitizer) return *wish.sanitizer == "thread" ? "tsan" : "asan";
    if (wish.release) return "release";
    return "dev";
}

fs::path build_folder(const manifest::manifest& project, std::string_view preset) {
    return project.folder / "build" / preset;
}

fs::path sdk_folder(const manifest::manifest& project) {
    // absolute, since programs run in other folders
    if (const char* named = std::getenv("APUS_SDK"); named && *named) return fs::absolute(named);
    if (const auto& wanted = project.sdk; wanted.version || wanted.profile) {
        const std::string version = wanted.version.value_or(""), profile = wanted.profile.value_or("");
        const auto components = wanted.components_of(profile);
        if (const auto found = installation::pinned({.version = version, .profile = profile, .components = components}))
            return found->folder;
        const std::string name = version + (version.empty() || profile.empty() ? "" : "-") + profile;
        throw errors::failure("E0507",
                              "apus.toml pins the SDK " + name + ", which is not installed" +
                                  (components.empty() ? ""
                                                      : ", and no installed SDK has the components of the "
                                                        "profile"),
                              "`apus sdk list` lists the installed SDKs; `apus sdk install` installs an SDK");
    }
    if (const auto found = installation::in_use()) return found->folder;
    const fs::path own = system::own_program().parent_path().parent_path();
    return installation::is_sdk(own) ? own : fs::path();
}

}  // namespace apus::cli::work

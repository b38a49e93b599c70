// SPDX-License-Identifier: Apache-2.0
#include "cli/work/presets.hpp"

#include <cstdlib>

#include "cli/errors/failure.hpp"
#include "cli/system/paths.hpp"
#include "cli/system/process.hpp"

namespace apus::cli::work {

namespace {

namespace fs = std::filesystem;

bool is_sdk(const fs::path& folder) {
    std::error_code none;
    return fs::exists(folder / "include/apus/app.hpp", none) && fs::exists(folder / "lib", none);
}

}  // namespace

std::string preset_for(const preset_wish& wish) {
    if (wish.named && (wish.named->empty() || wish.named->find_first_of("/ ") != wish.named->npos || wish.named->starts_with('.')))
        throw errors::usage("E0102", "`" + std::string(*wish.named) + "` cannot be a preset's name", "CMakePresets.json has the presets of the project");
    if (wish.named) return std::string(*wish.named);
    if (wish.sanitizer) return *wish.sanitizer == "thread" ? "tsan" : "asan";
    if (wish.release) return "release";
    if (system::has_program("clang++-19")) return "dev";
    if (system::has_program("g++")) return "gcc";
    throw errors::failure("E0107", "there is neither `clang++-19` nor `g++` in PATH", "`apus doctor` names the packages that have them");
}

fs::path build_folder(const manifest::manifest& project, std::string_view preset) { return project.folder / "build" / preset; }

fs::path sdk_folder(const manifest::manifest& project) {
    if (const char* named = std::getenv("APUS_SDK"); named && *named) return named;
    const fs::path installed = system::data_folder() / "sdk";
    if (project.sdk.version && is_sdk(installed / *project.sdk.version)) return installed / *project.sdk.version;
    if (is_sdk(installed / "current")) return installed / "current";
    const fs::path own = system::own_program().parent_path().parent_path();
    return is_sdk(own) ? own : fs::path();
}

}  // namespace apus::cli::work

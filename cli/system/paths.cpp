// SPDX-License-Identifier: Apache-2.0
#include "cli/system/paths.hpp"

#include <cstdlib>
#include <string>

#include "cli/errors/failure.hpp"

namespace apus::cli::system {

namespace {

namespace fs = std::filesystem;

const char* variable(const char* name) {
    const char* value = std::getenv(name);
    return value && *value ? value : nullptr;
}

fs::path xdg(const char* name, const char* below_home, const char* below_apus_home) {
    if (const char* own = variable("APUS_HOME")) return fs::absolute(own) / below_apus_home;
    if (const char* base = variable(name)) return fs::path(base) / "apus";
    if (const char* home = variable("HOME")) return fs::path(home) / below_home / "apus";
    throw errors::failure("E0106", "HOME is not set, so the folder for caches and SDKs is unknown",
                          "set APUS_HOME to a folder");
}

}  // namespace

fs::path data_folder() { return xdg("XDG_DATA_HOME", ".local/share", "."); }

fs::path cache_folder() { return xdg("XDG_CACHE_HOME", ".cache", "cache"); }

fs::path own_program() { return fs::read_symlink("/proc/self/exe"); }

fs::path shared_folder() {
    const fs::path bin = own_program().parent_path();
    fs::path installed = bin.parent_path() / "share/apus";
    std::error_code none;
    if (fs::exists(installed, none)) return installed;
    // build/<preset>/bin/apus
    return bin.parent_path().parent_path().parent_path();
}

}  // namespace apus::cli::system

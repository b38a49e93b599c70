// SPDX-License-Identifier: Apache-2.0
#include "cli/installation/store.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include <unistd.h>

#include "cli/errors/failure.hpp"
#include "cli/system/paths.hpp"

namespace apus::cli::installation {

namespace {

namespace fs = std::filesystem;

// PREFIX/lib/apus/sdk, where the program is in PREFIX/lib/apus/sdk/NAME/bin.
fs::path own_store() {
    const fs::path store = system::own_program().parent_path().parent_path().parent_path();
    return store.filename() == "sdk" && store.parent_path().filename() == "apus" ? store : fs::path();
}

}  // namespace

bool is_sdk(const fs::path& folder) {
    std::error_code none;
    return fs::exists(folder / "include/apus/app.hpp", none) && fs::exists(folder / "lib", none);
}

std::vector<fs::path> stores() {
    std::vector<fs::path> list;
    if (const fs::path own = own_store(); !own.empty()) list.push_back(own);
    const fs::path users = system::data_folder() / "sdk";
    if (std::ranges::find(list, users) == list.end()) list.push_back(users);
    return list;
}

std::vector<sdk> installed() {
    std::vector<sdk> all;
    for (const fs::path& store : stores()) {
        std::error_code none;
        const fs::path current = fs::read_symlink(store / "current", none).filename();
        const auto before = static_cast<std::ptrdiff_t>(all.size());
        for (const auto& each : fs::directory_iterator(store, none)) {
            const std::string name = each.path().filename().string();
            if (name.starts_with('.') || each.is_symlink(none) || !is_sdk(each.path())) continue;
            all.push_back({name, each.path(), name == current});
        }
        std::sort(all.begin() + before, all.end(), [](const sdk& a, const sdk& b) { return a.name < b.name; });
    }
    return all;
}

std::optional<sdk> find_sdk(std::string_view name) {
    for (sdk& each : installed())
        if (each.name == name) return std::move(each);
    return std::nullopt;
}

std::optional<sdk> pinned(std::string_view version, std::string_view profile) {
    const std::string whole = std::string(version) + "-" + std::string(profile.empty() ? "full" : profile);
    auto found = find_sdk(whole);
    return found || !profile.empty() ? found : find_sdk(version);
}

std::optional<sdk> in_use() {
    for (sdk& each : installed())
        if (each.in_use) return std::move(each);
    return std::nullopt;
}

void use(const sdk& which) {
    const fs::path link = which.folder.parent_path() / "current";
    const fs::path made = link.string() + "." + std::to_string(getpid());
    unlink(made.c_str());
    if (symlink(which.folder.filename().c_str(), made.c_str()) != 0) throw errors::system_failure("cannot make `" + made.string() + "`", errno);
    if (rename(made.c_str(), link.c_str()) != 0) {
        const int why = errno;
        unlink(made.c_str());
        throw errors::system_failure("cannot replace `" + link.string() + "`", why);
    }
}

}  // namespace apus::cli::installation

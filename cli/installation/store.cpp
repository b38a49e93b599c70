// SPDX-License-Identifier: Apache-2.0
#include "cli/installation/store.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>

#include <unistd.h>

#include "cli/errors/failure.hpp"
#include "cli/installation/cmake_package.hpp"
#include "cli/system/leftovers.hpp"
#include "cli/system/paths.hpp"
#include "cli/text/lists.hpp"

namespace apus::cli::installation {

namespace {

namespace fs = std::filesystem;

// Returns PREFIX/lib/apus/sdk if the program is in PREFIX/lib/apus/sdk/NAME/bin.
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

std::optional<sdk> pinned(const pin& wanted) {
    const auto best_of = [&wanted](auto&& fits) {
        std::optional<sdk> best;
        for (sdk& each : installed()) {
            const std::string version = each.name.substr(0, each.name.find('-'));
            if ((!wanted.version.empty() && version != wanted.version) ||
                !fits(each, each.name.substr(std::min(version.size() + 1, each.name.size()))))
                continue;
            if (!best || (!best->in_use && (each.in_use || is_newer(each.name, best->name)))) best = std::move(each);
        }
        return best;
    };
    const std::string profile = wanted.profile.empty() ? "full" : wanted.profile;
    auto found = best_of([&](const sdk&, const std::string& its) { return its == profile; });
    if (!found && wanted.profile.empty())
        found = best_of([](const sdk&, const std::string& its) { return its.empty(); });
    if (found || wanted.components.empty()) return found;
    return best_of([&](const sdk& each, const std::string&) {
        const auto offered = components_of(each.folder);
        return std::ranges::all_of(wanted.components, [&](const std::string& one) {
            return std::ranges::find(offered, one) != offered.end();
        });
    });
}

bool is_newer(std::string_view name, std::string_view than) {
    const auto number = [](std::string_view text) {
        unsigned value = 0;
        std::from_chars(text.data(), text.data() + text.size(), value);
        return value;
    };
    const auto a = text::split(name.substr(0, name.find('-')), '.'),
               b = text::split(than.substr(0, than.find('-')), '.');
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        const unsigned x = i < a.size() ? number(a[i]) : 0, y = i < b.size() ? number(b[i]) : 0;
        if (x != y) return x > y;
    }
    return false;
}

std::optional<sdk> in_use() {
    for (sdk& each : installed())
        if (each.in_use) return std::move(each);
    return std::nullopt;
}

void use(const sdk& which) {
    const fs::path link = which.folder.parent_path() / "current";
    const fs::path made = system::temporary_name(link);
    system::clear_leftovers(link.parent_path());
    unlink(made.c_str());
    if (symlink(which.folder.filename().c_str(), made.c_str()) != 0)
        throw errors::system_failure("cannot create `" + made.string() + "`", errno);
    if (rename(made.c_str(), link.c_str()) != 0) {
        const int why = errno;
        unlink(made.c_str());
        throw errors::system_failure("cannot replace `" + link.string() + "`", why);
    }
}

}  // namespace apus::cli::installation

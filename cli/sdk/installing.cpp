// SPDX-License-Identifier: Apache-2.0
#include "cli/sdk/installing.hpp"

#include <algorithm>
#include <vector>

#include <unistd.h>

#include "cli/errors/failure.hpp"
#include "cli/installation/store.hpp"
#include "cli/sdk/contents.hpp"
#include "cli/sdk/package.hpp"
#include "cli/system/files.hpp"
#include "cli/text/nearest.hpp"

namespace apus::cli::sdk {

namespace {

namespace fs = std::filesystem;

// The last is the user's own, and made if it is not there.
fs::path store_to_write() {
    const auto all = installation::stores();
    const auto at = std::ranges::find_if(all, [](const fs::path& store) { return access(store.c_str(), W_OK) == 0; });
    return at == all.end() ? all.back() : *at;
}

offered of_mirror(const std::string& mirror, const std::string& name) {
    const auto all = index_of(mirror);
    const auto at = std::ranges::find(all, name, &offered::name);
    if (at != all.end()) return *at;
    std::vector<std::string_view> names;
    names.reserve(all.size());
    for (const offered& each : all) names.push_back(each.name);
    throw errors::failure("E0502", "`" + mirror + "` has no SDK `" + name + "`", text::did_you_mean(name, names));
}

std::string profile_of(std::string_view name) { return std::string(name.substr(std::min(name.find('-'), name.size()))); }

}  // namespace

void bring(const wish& asked, terminal::shell& shell) {
    const fs::path store = store_to_write();
    system::make_folder(store);
    const system::folder_lock alone(store, [&] { shell.event("Waiting", "for another `apus` that installs an SDK"); });
    const system::folder_in_the_making work(store / "incoming");
    const fs::path package = asked.mirror ? fetch(*asked.mirror, of_mirror(*asked.mirror, asked.what), work.path()) : fs::path(asked.what);
    const installation::sdk made = install(package, store, asked.key);
    shell.event("Installed", made.name + " in " + made.folder.string());
    if (asked.use || !installation::in_use()) {
        installation::use(made);
        shell.event("Using", made.name);
    }
    std::string missing;
    for (const std::string& each : lacking(contents_of(made.folder).packages)) missing += " " + each;
    if (!missing.empty()) shell.hint("programs need packages that are not there; `apt-get install" + missing + "` installs them");
}

void upgrade(const std::string& mirror, const std::optional<fs::path>& key, bool only_say, terminal::shell& shell) {
    const auto now = installation::in_use();
    if (!now) throw errors::failure("E0502", "no SDK is in use, so there is none to upgrade", "`apus sdk install NAME --from MIRROR` installs one");
    std::string newest = now->name;
    for (const offered& each : index_of(mirror))
        if (profile_of(each.name) == profile_of(now->name) && is_newer(each.name, newest)) newest = each.name;
    if (newest == now->name) return shell.event("Unchanged", now->name + " is the newest");
    if (only_say) return shell.event("Found", newest + ", newer than " + now->name);
    bring({.what = newest, .mirror = mirror, .key = key, .use = true}, shell);
}

}  // namespace apus::cli::sdk

// SPDX-License-Identifier: Apache-2.0
#include "cli/sdk/install.hpp"

#include <algorithm>
#include <vector>

#include <unistd.h>

#include "cli/errors/failure.hpp"
#include "cli/installation/store.hpp"
#include "cli/sdk/contents.hpp"
#include "cli/sdk/mirror.hpp"
#include "cli/sdk/package.hpp"
#include "cli/dependencies/system_packages.hpp"
#include "cli/system/files.hpp"
#include "cli/system/leftovers.hpp"
#include "cli/system/process.hpp"
#include "cli/text/nearest.hpp"

namespace apus::cli::sdk {

namespace {

namespace fs = std::filesystem;

// Returns the first writable store, otherwise the user's store, which may not exist yet.
fs::path store_to_write() {
    const auto all = installation::stores();
    const auto at = std::ranges::find_if(all, [](const fs::path& store) { return access(store.c_str(), W_OK) == 0; });
    return at == all.end() ? all.back() : *at;
}

mirror_entry of_mirror(const std::string& mirror, const std::string& name) {
    const auto all = index_of(mirror);
    const auto at = std::ranges::find(all, name, &mirror_entry::name);
    if (at != all.end()) return *at;
    std::vector<std::string_view> names;
    names.reserve(all.size());
    for (const mirror_entry& each : all) names.push_back(each.name);
    throw errors::failure("E0502", "`" + mirror + "` has no SDK `" + name + "`", text::did_you_mean(name, names));
}

std::string profile_of(std::string_view name) {
    return std::string(name.substr(std::min(name.find('-'), name.size())));
}

// Returns the version in `project(apus VERSION 0.1.0 ...)`.
std::string version_of(const fs::path& checkout) {
    constexpr std::string_view begin = "project(apus VERSION ";
    const fs::path lists = checkout / "CMakeLists.txt";
    std::error_code none;
    const std::string text = fs::is_regular_file(lists, none) ? system::read_file(lists) : "";
    const auto at = text.find(begin);
    if (at == std::string::npos || access((checkout / "apus").c_str(), X_OK) != 0)
        throw errors::failure("E0508",
                              "`" + checkout.string() +
                                  "` is not a checkout of Apus: missing program `apus`, or missing CMakeLists.txt with "
                                  "`" +
                                  std::string(begin) + "...`");
    const std::string_view rest = std::string_view(text).substr(at + begin.size());
    return std::string(rest.substr(0, rest.find_first_not_of("0123456789.")));
}

void finish(const installation::sdk& made, bool use, bool packages, terminal::shell& shell) {
    shell.event("Installed", made.name + " in " + made.folder.string());
    if (use || !installation::in_use()) {
        installation::use(made);
        shell.event("Using", made.name);
    }
    const auto missing = dependencies::missing_packages(contents_of(made.folder).packages);
    if (missing.empty()) return;
    if (packages) return dependencies::install_packages(missing, shell);
    std::string list;
    for (const std::string& each : missing) list += " " + each;
    shell.hint("required packages are not installed: `apt-get install" + list + "`");
}

}  // namespace

void install(const install_options& asked, terminal::shell& shell) {
    const fs::path store = store_to_write();
    system::make_folder(store);
    const system::folder_lock alone(store,
                                    [&] { shell.event("Waiting", "for another `apus` process that installs an SDK"); });
    const system::staged_folder work(store / "incoming");
    const fs::path package =
        asked.mirror ? fetch(*asked.mirror, of_mirror(*asked.mirror, asked.what), work.path()) : fs::path(asked.what);
    finish(install(package, store, asked.key), asked.use, asked.packages, shell);
}

void build_and_install(const source& asked, terminal::shell& shell) {
    const std::string name = version_of(asked.checkout) + "-" + asked.profile;
    const fs::path store = store_to_write();
    system::make_folder(store);
    std::string components;
    for (const std::string& each : asked.components) components += (components.empty() ? "" : ",") + each;
    system::invocation build{.words = {(fs::absolute(asked.checkout) / "apus").string(), "install", "--store",
                                       store.string(), "--profile", asked.profile},
                             .folder = asked.checkout};
    if (!components.empty()) build.words.insert(build.words.end(), {"--components", components});
    shell.event("Building", name + " in " + asked.checkout.string());
    if (system::run_in_terminal(build) != 0)
        throw errors::failure("E0509", "`" + asked.checkout.string() + "/apus install` failed", "the output is above");
    finish({name, store / name, false}, asked.use, asked.packages, shell);
}

void upgrade(const std::string& mirror, const std::optional<fs::path>& key, bool dry_run, terminal::shell& shell) {
    const auto now = installation::in_use();
    if (!now)
        throw errors::failure("E0502", "no SDK is in use", "`apus sdk install NAME --from MIRROR` installs an SDK");
    std::string newest = now->name;
    for (const mirror_entry& each : index_of(mirror))
        if (profile_of(each.name) == profile_of(now->name) && installation::is_newer(each.name, newest))
            newest = each.name;
    system::clear_leftovers(now->folder.parent_path());  // of killed processes
    if (newest == now->name) return shell.event("Unchanged", now->name + " is the newest version");
    if (dry_run) return shell.event("Found", newest + ", newer than " + now->name);
    install({.what = newest, .mirror = mirror, .key = key, .use = true}, shell);
}

}  // namespace apus::cli::sdk

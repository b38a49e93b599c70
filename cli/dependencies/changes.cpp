// SPDX-License-Identifier: Apache-2.0
#include "cli/dependencies/changes.hpp"

#include <algorithm>

#include "cli/dependencies/cache.hpp"
#include "cli/dependencies/cmake_files.hpp"
#include "cli/dependencies/project_transaction.hpp"
#include "cli/dependencies/version.hpp"
#include "cli/errors/failure.hpp"
#include "cli/manifest/editor.hpp"
#include "cli/system/files.hpp"
#include "cli/text/lists.hpp"

namespace apus::cli::dependencies {

namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& file) {
    std::error_code none;
    return fs::exists(file, none) ? system::read_file(file) : std::string();
}

// Writes the lock, the files derived from it, and the manifest if it changed. Returns the names of changed files.
// Writes apus.lock last, so that the next call completes the change if the process is killed.
std::vector<std::string> write(const manifest::manifest& project, const lock& all,
                               const std::string& manifest_text = {}) {
    std::vector<std::string> written;
    system::replacements files;
    auto update = [&](const fs::path& name, const std::string& text) {
        if (files.update(project.folder / name, text)) written.push_back(name.string());
    };
    if (!manifest_text.empty()) update(project.file.filename(), manifest_text);
    const std::string conanfile = conanfile_of(all);
    if (!conanfile.empty()) update("cmake/conanfile.py", conanfile);
    std::error_code none;
    const bool first = !fs::exists(project.folder / "cmake/dependencies.cmake", none);
    update("cmake/dependencies.cmake", cmake_of(all));
    update("apus.lock", text_of(all));
    files.commit();
    if (conanfile.empty()) system::remove_tree(project.folder / "cmake/conanfile.py");
    // A configured build does not detect the first cmake/dependencies.cmake. Changing the time of CMakeLists.txt makes
    // Ninja run CMake again.
    if (first) fs::last_write_time(project.folder / "CMakeLists.txt", fs::file_time_type::clock::now(), none);
    return written;
}

void report_written(const std::vector<std::string>& files, terminal::shell& shell) {
    if (!files.empty()) shell.event("Wrote", text::joined(files, ", "));
}

void report_differences(const lock& before, const lock& after, terminal::shell& shell) {
    for (const std::string& line : differences(before, after)) shell.event("Locked", line);
}

struct event {
    std::string_view done, object;
};

// Writes a new lock and prints the differences. Prints the event `if_same` if no file changes.
void keep(const manifest::manifest& project, const lock& before, const lock& after, event if_same,
          terminal::shell& shell) {
    report_differences(before, after, shell);
    const auto files = write(project, after);
    if (files.empty()) shell.event(if_same.done, if_same.object);
    report_written(files, shell);
    trim_cache(shell);
}

void report_locked(const locked& one, terminal::shell& shell) {
    std::string from = "from the system";
    if (one.source == "system" && !one.package.empty())
        from = "from the distribution's " + one.package + " " + one.revision;
    if (one.source == "conan") from = "by Conan, from " + one.from;
    if (one.source == "git") from = "from " + one.from + " at " + one.revision.substr(0, 12);
    shell.event("Added", one.name + " " + one.version + " " + from);
    shell.event("Because", one.why);
    shell.event("License", one.license.empty() ? "unknown" : one.license);
    shell.event("Target", one.target.empty() ? "none: header-only" : one.target);
}

void reject_unknown(const manifest::manifest& project, const std::vector<std::string>& names) {
    for (const std::string& name : names)
        if (std::ranges::find(project.dependencies, name, &manifest::dependency::name) == project.dependencies.end())
            throw errors::failure("E0406", "apus.toml has no dependency `" + name + "`",
                                  "`apus tree` lists the dependencies");
}

}  // namespace

void add(const manifest::manifest& found, manifest::dependency wanted, modes how, terminal::shell& shell) {
    const project_transaction ours(found, shell);
    const manifest::manifest& project = ours.project();
    const lock before = read_lock_of(project.folder);
    const std::string unchanged = system::read_file(project.file);
    const auto changed = [&] {
        return manifest::set_key(unchanged, "dependencies", wanted.name, manifest::toml_of(wanted));
    };
    // Throws E0209 if apus.toml cannot be edited, before the search begins.
    std::string text = changed();
    resolver sources(project, how, shell);
    std::vector<locked> taken = sources.choose(wanted, before);
    if (wanted.version == "*" && wanted.from != "git") {
        wanted.version = usual_request(taken.front().version);
        taken.front().wanted = manifest::written(wanted);
        text = changed();
    }
    auto all_wanted = project.dependencies;
    std::erase_if(all_wanted, [&](const manifest::dependency& each) { return each.name == wanted.name; });
    all_wanted.push_back(wanted);
    const lock after = sources.resolve(all_wanted, before, {wanted.name}, std::move(taken));
    sources.link_sources(after);
    manifest::read(text, project.file);
    const auto files = write(project, after, text);
    report_locked(*dependencies::find(after, wanted.name), shell);
    report_written(files, shell);
    trim_cache(shell);
}

void remove(const manifest::manifest& found, const std::vector<std::string>& names, modes how, terminal::shell& shell) {
    const project_transaction ours(found, shell);
    const manifest::manifest& project = ours.project();
    reject_unknown(project, names);
    const lock before = read_lock_of(project.folder);
    auto wanted = project.dependencies;
    std::string text = system::read_file(project.file);
    for (const std::string& name : names) {
        std::erase_if(wanted, [&](const manifest::dependency& each) { return each.name == name; });
        text = manifest::remove_key(text, "dependencies", name);
    }
    resolver sources(project, how, shell);
    const lock after = sources.resolve(wanted, before, {});
    sources.link_sources(after);
    write(project, after, text);
    for (const locked& one : before)
        if (!dependencies::find(after, one.name)) shell.event("Removed", one.name + " " + one.version);
}

void update(const manifest::manifest& found, std::vector<std::string> names, modes how, terminal::shell& shell) {
    const project_transaction ours(found, shell);
    const manifest::manifest& project = ours.project();
    reject_unknown(project, names);
    if (names.empty())
        for (const manifest::dependency& each : project.dependencies) names.push_back(each.name);
    const lock before = read_lock_of(project.folder);
    resolver sources(project, how, shell);
    for (const remote& each : sources.engine().remotes()) sources.engine().refresh(each);
    const lock after = sources.resolve(project.dependencies, before, names);
    sources.link_sources(after);
    keep(project, before, after, {"Unchanged", "all dependencies have the latest versions allowed by apus.toml"},
         shell);
}

namespace {

constexpr std::string_view right = "apus.lock is up to date";

void relock_in(const manifest::manifest& project, modes how, terminal::shell& shell) {
    const lock before = read_lock_of(project.folder);
    resolver sources(project, how, shell);
    const lock after = sources.resolve(project.dependencies, before, {});
    if (how.frozen) {
        if (const auto lines = differences(before, after); !lines.empty())
            throw errors::failure("E0403", "apus.lock is out of date: " + text::joined(lines, "; "),
                                  "run `apus lock` and commit the result");
        if (content_of(project.folder / "cmake/dependencies.cmake") != cmake_of(after))
            throw errors::failure("E0403", "cmake/dependencies.cmake does not match apus.lock",
                                  "run `apus lock` and commit the result");
        sources.link_sources(after);
        shell.event("Checked", right);
        return;
    }
    sources.link_sources(after);
    keep(project, before, after, {"Checked", right}, shell);
}

// Returns why the lock is out of date; empty if it is up to date.
std::string stale(const manifest::manifest& project, const lock& now) {
    for (const manifest::dependency& each : project.dependencies) {
        const locked* one = find(now, each.name);
        if (!one) return "apus.toml requires " + each.name + ", which is missing in apus.lock";
        if (one->wanted != manifest::written(each))
            return "apus.toml requires " + each.name + " " + manifest::written(each) +
                   ", but apus.lock has the "
                   "requirement " +
                   one->wanted;
        std::error_code none;
        if (one->source == "git" && !fs::exists(project.folder / ".apus/sources" / each.name, none))
            return each.name + " has not been fetched";
        if (one->source == "conan" && !fs::exists(project.folder / ".apus/conan/stamp", none))
            return each.name + " has not been installed";
        if (one->source == "conan" && !fs::exists(conan::home() / "p", none))
            return "the Conan packages are no longer in the cache";
    }
    for (const locked& one : now)
        if (one.direct() && std::ranges::find(project.dependencies, one.name, &manifest::dependency::name) ==
                                project.dependencies.end())
            return "apus.lock has " + one.name + ", which apus.toml does not require";
    const bool written = now.empty() || content_of(project.folder / "cmake/dependencies.cmake") == cmake_of(now);
    return written ? "" : "cmake/dependencies.cmake does not match apus.lock";
}

}  // namespace

void relock(const manifest::manifest& found, modes how, terminal::shell& shell) {
    const project_transaction ours(found, shell);
    relock_in(ours.project(), how, shell);
}

void prepare(const manifest::manifest& project, modes how, terminal::shell& shell) {
    const std::string why = stale(project, read_lock_of(project.folder));
    if (why.empty()) return;
    shell.event("Locking", "because " + why);
    relock(project, how, shell);
}

}  // namespace apus::cli::dependencies

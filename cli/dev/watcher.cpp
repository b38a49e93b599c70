// SPDX-License-Identifier: Apache-2.0
#include "cli/dev/watcher.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "cli/errors/failure.hpp"
#include "cli/system/signals.hpp"

namespace apus::cli::dev {

namespace {

namespace fs = std::filesystem;

constexpr const char* overflow = "more files than can be listed";
constexpr int quiet = 10;  // in milliseconds
// In milliseconds. Limits each call of poll, since a signal that arrives just before the call does not interrupt it.
constexpr int max_wait = 500;

}  // namespace

watcher::watcher(fs::path folder, const std::vector<std::string>& roots, watched_files files)
    : folder_(std::move(folder)), files_(std::move(files)), inotify_(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
    if (inotify_ < 0)
        throw errors::failure("E0310", "cannot watch files: the limit on inotify instances is reached",
                              "`sysctl fs.inotify.max_user_instances=512` raises the limit");
    for (const std::string& root : roots) watch_root((folder_ / root).lexically_normal());
}

// Watches the folder that contains a file, since editors replace files instead of writing to them.
void watcher::watch_root(const fs::path& root) {
    std::error_code none;
    if (fs::is_directory(root, none)) return watch_tree(root.has_filename() ? root : root.parent_path());
    if (fs::exists(root, none)) known_.insert(path_in_project(root));
    const int watch = add(root.parent_path());
    if (watch >= 0)
        folders_.try_emplace(watch, watched{.folder = root.parent_path()})
            .first->second.names.insert(root.filename().string());
}

int watcher::add(const fs::path& folder) {
    const int watch = inotify_add_watch(
        inotify_, folder.c_str(), IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB);
    if (watch < 0 && errno != ENOENT)
        throw errors::failure("E0310", "cannot watch `" + folder.string() + "`: " + std::strerror(errno),
                              "`sysctl fs.inotify.max_user_watches=524288` raises the limit");
    return watch;
}

watcher::~watcher() { close(inotify_); }

std::string watcher::path_in_project(const fs::path& path) const { return path.lexically_relative(folder_).string(); }

void watcher::watch_tree(const fs::path& folder) {
    const int watch = add(folder);
    if (watch < 0) return;
    watched& here = folders_.try_emplace(watch, watched{.folder = folder}).first->second;
    here = {.folder = folder, .whole = true, .names = std::move(here.names)};
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none)) {
        const std::string path = path_in_project(entry.path());
        if (entry.is_directory(none) ? !files_.watches_folder(path) : !files_.counts(path)) continue;
        if (!entry.is_directory(none)) known_.insert(path);
        else if (!entry.is_symlink(none)) watch_tree(entry.path());
    }
}

bool watcher::read_events(int milliseconds, std::set<std::string>& changed) {
    pollfd waits{inotify_, POLLIN, 0};
    const int ready = poll(&waits, 1, milliseconds);
    system::throw_if_interrupted();
    if (ready <= 0) return false;
    std::error_code none;
    alignas(inotify_event) char piece[16384];
    const ssize_t n = read(inotify_, piece, sizeof piece);
    for (ssize_t at = 0; at < n;) {
        const auto& event = *reinterpret_cast<const inotify_event*>(piece + at);
        at += static_cast<ssize_t>(sizeof event) + event.len;
        const std::string name = event.len ? event.name : "";
        const auto where = folders_.find(event.wd);
        if (event.mask & IN_Q_OVERFLOW) changed.insert(overflow);
        if (where == folders_.end()) continue;
        const fs::path path = where->second.folder / name;
        const std::string inside = path_in_project(path);
        const bool counts = event.mask & IN_ISDIR ? files_.watches_folder(inside) : files_.counts(inside);
        if (!(where->second.names.contains(name) || (where->second.whole && counts))) continue;
        if (where->second.whole && (event.mask & IN_ISDIR) && (event.mask & (IN_CREATE | IN_MOVED_TO)))
            watch_tree(path);
        // Ignores the creation of a regular file, since IN_CLOSE_WRITE follows. For a link no further event follows.
        if (!(event.mask & IN_CREATE) || (event.mask & IN_ISDIR) || fs::is_symlink(path, none)) changed.insert(inside);
    }
    return true;
}

// Drops new files that no longer exist, such as temporary files of editors.
void watcher::forget_removed(std::set<std::string>& changed) const {
    std::error_code none;
    std::erase_if(changed, [&](const std::string& path) {
        const auto below = known_.lower_bound(path + "/");
        const bool was_there = known_.contains(path) || (below != known_.end() && below->starts_with(path + "/"));
        return !was_there && path != overflow && !fs::exists(fs::symlink_status(folder_ / path, none));
    });
}

// Returns true if no file was created or removed. Compares only the final set, since editors replace a file, or move it
// away and write it again.
bool watcher::has_same_files(const std::set<std::string>& changed) {
    bool same = true;
    std::error_code none;
    for (const std::string& path : changed) {
        if (fs::is_regular_file(folder_ / path, none)) same &= !known_.insert(path).second;
        else known_.erase(path), same = false;
    }
    return same;
}

changes watcher::wait() {
    changes seen;
    while (seen.paths.empty()) {
        read_events(max_wait, seen.paths);
        while (!seen.paths.empty() && read_events(quiet, seen.paths)) {}
        forget_removed(seen.paths);
    }
    seen.same_files = has_same_files(seen.paths);
    return seen;
}

}  // namespace apus::cli::dev

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace apus::cli::dev {

/// Notices changes of files in folders and all below them, by inotify. What editors write beside a file, hidden
/// files, `build` and what is named to be ignored do not count.
class watcher {
public:
    /// `roots` are folders and files below `folder`. Throws E0310 where inotify has no room.
    watcher(std::filesystem::path folder, const std::vector<std::string>& roots, std::vector<std::string> ignored);
    ~watcher();
    watcher(const watcher&) = delete;
    watcher& operator=(const watcher&) = delete;

    /// Waits for a change, and then until nothing has changed for 20 ms, since an editor writes several files. Gives
    /// the paths, relative to the folder. Throws `errors::interruption`.
    std::set<std::string> wait();

private:
    bool counts(const std::string& name) const;
    void watch_root(const std::filesystem::path& root);
    int add(const std::filesystem::path& folder);
    void watch_tree(const std::filesystem::path& folder);
    bool read_events(int milliseconds, std::set<std::string>& changed);

    std::filesystem::path folder_;
    std::vector<std::string> ignored_;
    int inotify_;
    struct watched {
        std::filesystem::path folder{};
        bool whole = false;             // all that is in it; else only those names
        std::set<std::string> names{};  // that count even where others of their kind do not
    };
    std::map<int, watched> folders_;  // by watch
};

}  // namespace apus::cli::dev

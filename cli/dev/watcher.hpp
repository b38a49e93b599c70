// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/dev/watched_files.hpp"

namespace apus::cli::dev {

/// What has changed since somebody looked.
struct changes {
    std::set<std::string> paths{};  ///< Relative to the project's folder.
    bool same_files = false;        ///< None has come or gone: what is in them has changed.
};

/// Notices changes of files in folders and all below them, by inotify. Which of them count, `watched_files` says.
class watcher {
public:
    /// `roots` are folders and files below `folder`; a file that is named counts whatever it is. Throws E0310 where
    /// inotify has no room.
    watcher(std::filesystem::path folder, const std::vector<std::string>& roots, watched_files files);
    ~watcher();
    watcher(const watcher&) = delete;
    watcher& operator=(const watcher&) = delete;

    /// Waits for a change, and then until nothing has changed for 10 ms, since an editor writes several files.
    /// Throws `errors::interruption`.
    changes wait();

    watched_files& files() noexcept { return files_; }

private:
    std::string path_in_project(const std::filesystem::path& path) const;
    void watch_root(const std::filesystem::path& root);
    int add(const std::filesystem::path& folder);
    void watch_tree(const std::filesystem::path& folder);
    bool read_events(int milliseconds, std::set<std::string>& changed);
    void forget_what_is_gone(std::set<std::string>& changed) const;
    bool are_same_files(const std::set<std::string>& changed);

    std::filesystem::path folder_;
    watched_files files_;
    int inotify_;
    struct watched {
        std::filesystem::path folder{};
        bool whole = false;             // all that is in it; else only those names
        std::set<std::string> names{};  // that count even where others of their kind do not
    };
    std::map<int, watched> folders_;  // by watch
    std::set<std::string> known_;     // files in them, as `changes` has paths
};

}  // namespace apus::cli::dev

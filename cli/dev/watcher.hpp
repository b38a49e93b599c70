// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/dev/watched_files.hpp"

namespace apus::cli::dev {

/// Changes since the last call.
struct changes {
    std::set<std::string> paths{};  ///< Relative to the project's folder.
    bool same_files = false;        ///< No file was created or removed.
};

/// Watches folders recursively with inotify. `watched_files` selects the files.
class watcher {
public:
    /// `roots` are folders and files below `folder`. A file in `roots` is always watched.
    /// Throws E0310 if the inotify limit is reached.
    watcher(std::filesystem::path folder, const std::vector<std::string>& roots, watched_files files);
    ~watcher();
    watcher(const watcher&) = delete;
    watcher& operator=(const watcher&) = delete;

    /// Waits for a change, and then until no further change happens for 10 ms.
    /// Editors write several files at once. Throws `errors::interruption`.
    changes wait();

    watched_files& files() noexcept { return files_; }

private:
    std::string path_in_project(const std::filesystem::path& path) const;
    void watch_root(const std::filesystem::path& root);
    int add(const std::filesystem::path& folder);
    void watch_tree(const std::filesystem::path& folder);
    bool read_events(int milliseconds, std::set<std::string>& changed);
    void forget_removed(std::set<std::string>& changed) const;
    bool has_same_files(const std::set<std::string>& changed);

    std::filesystem::path folder_;
    watched_files files_;
    int inotify_;
    struct watched {
        std::filesystem::path folder{};
        bool whole = false;             // all files of the folder are watched, not only `names`
        std::set<std::string> names{};  // files that are always watched
    };
    std::map<int, watched> folders_;  // keyed by watch descriptor
    std::set<std::string> known_;     // files in these folders, relative to `folder_`
};

}  // namespace apus::cli::dev

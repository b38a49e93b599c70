// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apus::cli::dev {

/// Why files are watched: to restart the program, or to repeat tests.
enum class watched_for {
    serving,
    testing
};

/// Decides which files of a project trigger a rebuild or reload.
/// Ignores output of programs and tools: hidden files, backups of editors, `build` and `dist`, databases, logs, and
/// unknown extensions. In folders of sources and assets (`src`, `include`, `modules`, `pages`, `public`, `static`,
/// `assets`, `templates`, `cmake`) and in those of `dev.watch`, every extension counts. `tests` counts only for
/// testing.
class watched_files {
public:
    /// `roots` and `ignored` are `dev.watch` and `dev.ignore`.
    watched_files(watched_for purpose, const std::vector<std::string>& roots, std::vector<std::string> ignored);

    /// Returns true if a folder, relative to the project, is watched.
    bool looks_into(std::string_view folder) const;
    /// Returns true if changes of a file, relative to the project, count.
    bool counts(std::string_view file) const;

    /// Ignores a file until `ignore_no_more`.
    void ignore(std::string file) { written_.insert(std::move(file)); }
    void ignore_no_more() { written_.clear(); }

private:
    bool is_ignored(std::string_view path) const;

    watched_for purpose_;
    std::vector<std::string> whole_;  // folders in which every extension counts
    std::vector<std::string> ignored_;
    std::set<std::string, std::less<>> written_{};
};

}  // namespace apus::cli::dev

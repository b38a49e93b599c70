// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apus::cli::dev {

/// Purpose of watching files: to restart the program, or to repeat tests.
enum class watch_purpose {
    serving,
    testing
};

/// Decides which files of a project trigger a rebuild or reload.
/// Ignores output of programs and tools: hidden files, backups of editors, `build` and `dist`, databases, logs, and
/// unknown extensions. In folders of sources and assets (`src`, `include`, `modules`, `pages`, `public`, `static`,
/// `assets`, `templates`, `cmake`) and in the folders of `dev.watch`, files with any extension are watched. `tests` is
/// watched only for testing.
class watched_files {
public:
    /// `roots` and `ignored` are `dev.watch` and `dev.ignore`.
    watched_files(watch_purpose purpose, const std::vector<std::string>& roots, std::vector<std::string> ignored);

    /// Returns true if a folder, relative to the project, is watched.
    bool watches_folder(std::string_view folder) const;
    /// Returns true if a file, relative to the project, is watched.
    bool counts(std::string_view file) const;

    /// Ignores a file until `clear_ignored`.
    void ignore(std::string file) { written_.insert(std::move(file)); }
    void clear_ignored() { written_.clear(); }

private:
    bool is_ignored(std::string_view path) const;

    watch_purpose purpose_;
    std::vector<std::string> whole_;  // folders in which files with any extension are watched
    std::vector<std::string> ignored_;
    std::set<std::string, std::less<>> written_{};
};

}  // namespace apus::cli::dev

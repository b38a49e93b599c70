// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apus::cli::dev {

/// What files are watched for: another program, or other results of tests.
enum class watched_for {
    serving,
    testing
};

/// Which files of a project count when they change. Those that programs and tools write do not: hidden files, copies of
/// editors, `build` and `dist`, databases, logs, and what has an extension of no source, page, style sheet, asset or
/// description of the build. In folders of sources and assets (`src`, `include`, `modules`, `pages`, `public`,
/// `static`, `assets`, `templates`, `cmake`) and in those that `dev.watch` names, files of any other extension count
/// too. `tests` counts for testing only.
class watched_files {
public:
    /// `roots` and `ignored` are `dev.watch` and `dev.ignore`.
    watched_files(watched_for purpose, const std::vector<std::string>& roots, std::vector<std::string> ignored);

    /// Whether a folder, relative to the project, is looked into.
    bool looks_into(std::string_view folder) const;
    /// Whether a file, relative to the project, counts.
    bool counts(std::string_view file) const;

    /// From now on this file does not count, until `ignore_no_more`.
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

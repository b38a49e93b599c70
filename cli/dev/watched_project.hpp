// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "cli/dev/watcher.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::dev {

/// A project whose files are watched, apus.toml included.
class watched_project {
public:
    watched_project(manifest::manifest project, watched_for purpose);

    /// Returns the last valid manifest.
    const manifest::manifest& now() const noexcept { return project_; }

    /// Waits for changes and prints them. Throws `errors::interruption`.
    changes wait(terminal::shell& shell);

    /// Reads apus.toml again if it changed, or was invalid when last read.
    /// Throws if it is invalid; `now` then stays the same.
    void update(const changes& what);

    /// Ignores a file that the program writes.
    /// `ignore_no_more` reverts this when another program starts.
    void ignore(std::string file) { files_->files().ignore(std::move(file)); }
    void ignore_no_more() { files_->files().ignore_no_more(); }

private:
    void watch();

    manifest::manifest project_;
    watched_for purpose_;
    std::optional<watcher> files_;
    bool is_right_ = true;
};

}  // namespace apus::cli::dev

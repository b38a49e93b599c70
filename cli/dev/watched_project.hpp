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
    watched_project(manifest::manifest project, watch_purpose purpose);

    /// Returns the last valid manifest.
    const manifest::manifest& now() const noexcept { return project_; }

    /// Waits for changes and prints them. Throws `errors::interruption`.
    changes wait(terminal::shell& shell);

    /// Reads apus.toml again if it changed, or was invalid when last read.
    /// Throws if it is invalid; `now` then stays the same.
    void update(const changes& what);

    /// Ignores a file that the program writes.
    /// `clear_ignored` reverts this when another program starts.
    void ignore(std::string file) { files_->files().ignore(std::move(file)); }
    void clear_ignored() { files_->files().clear_ignored(); }

private:
    void watch();

    manifest::manifest project_;
    watch_purpose purpose_;
    std::optional<watcher> files_;
    bool manifest_valid_ = true;
};

}  // namespace apus::cli::dev

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "cli/dev/watcher.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::dev {

/// A project with a watcher for its files, including apus.toml.
class watched_project {
public:
    watched_project(manifest::manifest project, watch_purpose purpose);

    /// Returns the last valid manifest.
    const manifest::manifest& now() const noexcept { return project_; }

    /// Waits for changes and prints them. Throws `errors::interruption`.
    changes wait(terminal::shell& shell);

    /// Reads apus.toml again if the file changed, or was invalid when last read.
    /// Throws if apus.toml is invalid; `now` then still returns the last valid manifest.
    void update(const changes& what);

    /// Ignores a file that the program writes, until `clear_ignored` is called.
    /// `apus dev` calls `clear_ignored` when a new program starts.
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

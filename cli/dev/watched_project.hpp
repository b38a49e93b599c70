// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "cli/dev/watcher.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::dev {

/// A project whose files change, its apus.toml among them.
class watched_project {
public:
    watched_project(manifest::manifest project, watched_for purpose);

    /// As the newest apus.toml says that could be read.
    const manifest::manifest& now() const noexcept { return project_; }

    /// Waits for changes, and tells of each. Throws `errors::interruption`.
    changes wait(terminal::shell& shell);

    /// Reads apus.toml if it is among these, or was not right when it was read last. Throws what is wrong with it;
    /// `now`
    /// stays then.
    void update(const changes& what);

    /// A file that the program writes does not count from now on; `ignore_no_more`: of another program it may.
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

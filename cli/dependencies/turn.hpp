// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/manifest/manifest.hpp"
#include "cli/system/files.hpp"
#include "cli/system/leftovers.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::dependencies {

/// One of us at a time changes what a project depends on. Holds the manifest as it is when it is our turn.
class turn {
public:
    turn(const manifest::manifest& project, terminal::shell& shell)
        : lock_(project.folder / ".apus",
                [&] { shell.event("Waiting", "for another `apus` that changes this project"); }),
          project_(manifest::read(project.file)) {
        // of one that was killed
        for (const char* folder : {".", "cmake"}) system::clear_leftovers(project.folder / folder);
    }

    const manifest::manifest& project() const noexcept { return project_; }

private:
    system::folder_lock lock_;
    manifest::manifest project_;
};

}  // namespace apus::cli::dependencies

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/manifest/manifest.hpp"
#include "cli/system/files.hpp"
#include "cli/system/leftovers.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::dependencies {

/// Serializes changes of a project's dependencies between processes.
/// Reads the manifest after acquiring the lock.
class project_transaction {
public:
    project_transaction(const manifest::manifest& project, terminal::shell& shell)
        : lock_(project.folder / ".apus",
                [&] { shell.event("Waiting", "for another `apus` process that changes this project"); }),
          project_(manifest::read(project.file)) {
        // removes temporary files of killed processes
        for (const char* folder : {".", "cmake"}) system::clear_leftovers(project.folder / folder);
    }

    const manifest::manifest& project() const noexcept { return project_; }

private:
    system::folder_lock lock_;
    manifest::manifest project_;
};

}  // namespace apus::cli::dependencies

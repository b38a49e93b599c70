// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/manifest/document.hpp"

namespace apus::cli::manifest {

/// An entry of `[check.forbidden]`: includes that are forbidden in a folder.
struct forbidden_includes {
    std::string folder;
    /// Folders of the project, or headers and folders of headers: "src/web", "sqlite3.h", "boost".
    std::vector<std::string> names{};
};

/// `[check]`: the project's own rules, for `apus check rules`.
struct check_table {
    long lines = 0;  ///< Maximum lines of a source file; 0: unlimited.
    /// Shell commands, run in the project's folder. Each command that fails is reported as a finding.
    std::vector<std::string> commands{};
    std::vector<forbidden_includes> forbidden{};
};

check_table read_check(table&& from);

}  // namespace apus::cli::manifest

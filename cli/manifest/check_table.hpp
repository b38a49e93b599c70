// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/manifest/document.hpp"

namespace apus::cli::manifest {

/// A line of `[check.forbidden]`: what sources of a folder must not include.
struct forbidden_includes {
    std::string folder;
    /// Folders of the project, or headers and folders of headers: "src/web", "sqlite3.h", "boost".
    std::vector<std::string> names{};
};

/// `[check]`: the project's own rules, for `apus check rules`.
struct check_table {
    long lines = 0;  ///< That a source may have at most; 0: any number.
    /// For sh, in the project's folder; one that does not end with 0 has found something.
    std::vector<std::string> commands{};
    std::vector<forbidden_includes> forbidden{};
};

check_table read_check(table&& from);

}  // namespace apus::cli::manifest

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/manifest/document.hpp"

namespace apus::cli::manifest {

/// A line of `[check.forbidden]`: what sources of a folder must not include.
struct forbidden_includes {
    std::string folder;
    std::vector<std::string> names{};  ///< Folders of the project, or headers and folders of headers: "src/web", "sqlite3.h", "boost".
};

/// `[check]`: the project's own rules, for `apus check rules`.
struct check_table {
    long lines = 0;                        ///< That a source may have at most; 0: any number.
    std::vector<std::string> commands{};   ///< For sh, in the project's folder; one that does not end with 0 has found something.
    std::vector<forbidden_includes> forbidden{};
};

check_table read_check(table&& from);

}  // namespace apus::cli::manifest

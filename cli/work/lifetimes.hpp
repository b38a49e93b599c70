// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/lifetimes/findings.hpp"

namespace apus::cli::work {

/// Returns findings in a source and in the project's headers that it includes.
/// Files are relative to `folder`. Lines with `NOLINT` are skipped. `compilation` is `-p` and a build folder, or other
/// arguments of clang-query after the source. Throws E0107 without clang-query-19, and E0302 if the source does not
/// compile.
std::vector<lifetimes::finding> lifetimes_in(const std::filesystem::path& folder, const std::string& source,
                                             const std::vector<std::string>& compilation);

/// Returns a finding in two lines: the error with its position, and the fix.
std::string text_of(const lifetimes::finding&);

}  // namespace apus::cli::work

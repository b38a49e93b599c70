// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/manifest/manifest.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// Which lines of a source ran.
struct covered_file {
    std::string file;  ///< Relative to the project.
    long lines = 0;    ///< That have code.
    long ran = 0;
    std::string missed{};  ///< "14-16, 20": those that did not.
};

/// Reads the format of lcov, and keeps what is the project's own: no tests, and nothing that was built.
std::vector<covered_file> read_lcov(std::string_view text, const std::filesystem::path& project);

/// A line for each file and one for all.
std::string text_of(const std::vector<covered_file>& files);

/// Prints which lines ran in the programs of tests that stand in `folder`, by the counts that they left in its
/// `profiles`, and writes them in lcov's format into its `coverage.info`.
void report_coverage(const manifest::manifest& project, const std::filesystem::path& folder, terminal::shell& shell);

}  // namespace apus::cli::work

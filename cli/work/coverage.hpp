// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/manifest/manifest.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// Coverage of one source file.
struct covered_file {
    std::string file;  ///< Relative to the project.
    long lines = 0;    ///< Lines that contain code.
    long ran = 0;
    std::string missed{};  ///< Lines that did not run: "14-16, 20".
};

/// Parses the lcov format. Omits tests, generated files and files outside the project.
std::vector<covered_file> read_lcov(std::string_view text, const std::filesystem::path& project);

/// Returns one line per file, and a total.
std::string text_of(const std::vector<covered_file>& files);

/// Prints the coverage of the test programs in `folder`, from the counters in `profiles`.
/// Writes `coverage.info` (lcov) to `folder`.
void report_coverage(const manifest::manifest& project, const std::filesystem::path& folder, terminal::shell& shell);

}  // namespace apus::cli::work

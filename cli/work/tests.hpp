// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/manifest/manifest.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// Which tests to run, and what to write.
struct test_options {
    std::string preset;
    std::string filter{};   ///< A regular expression of CTest's; empty: all.
    std::string junit{};    ///< A file that gets the results as JUnit's XML; empty: none.
    bool coverage = false;  ///< With the preset `coverage`: also which lines ran.
};

/// Builds the tests and runs the project's program of tests itself, with these words, in the terminal. Gives its exit
/// status. Throws E0305 if there is none.
int run_test_program(const manifest::manifest& project, const std::string& preset,
                     const std::vector<std::string>& words, terminal::shell& shell);

/// Builds and runs the tests: output of those that fail, and a line that counts. Returns whether all passed.
/// Throws E0305 if there is none of that name, and as `build` does.
bool test(const manifest::manifest& project, const test_options& options, terminal::shell& shell);

}  // namespace apus::cli::work

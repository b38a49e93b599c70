// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/manifest/manifest.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// Selection of tests, and output options.
struct test_options {
    std::string preset;
    std::string filter{};   ///< Regular expression for CTest; empty: all tests.
    std::string junit{};    ///< File for the results in JUnit XML; empty: not written.
    bool coverage = false;  ///< Whether to print the coverage; requires the preset `coverage`.
};

/// Builds the test program and runs it in the terminal with these arguments.
/// Returns its exit status. Throws E0305 if the project has no tests.
int run_test_program(const manifest::manifest& project, const std::string& preset,
                     const std::vector<std::string>& words, terminal::shell& shell);

/// Builds and runs the tests; prints the output of failed tests and a summary.
/// Returns true if all tests passed. Throws E0305 if no test matches, and the errors of `build`.
bool test(const manifest::manifest& project, const test_options& options, terminal::shell& shell);

}  // namespace apus::cli::work

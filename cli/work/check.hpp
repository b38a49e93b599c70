// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// The parts of `check`, in order.
inline constexpr std::string_view check_parts = "format|rules|modules|lint|lifetimes|openapi|sql";

/// Checks to run.
struct check_options {
    std::string preset;
    bool all = false;                  ///< Lint and lifetimes: check every source, not only changed sources.
    std::vector<std::string> parts{};  ///< None: all parts.
};

/// Checks format, rules, modules, clang-tidy, lifetimes, the API description and SQL statements.
/// Runs all checks even after findings. A check that cannot run, since the build fails or a program is missing, counts
/// as failed. Returns whether all passed.
bool check(const check_options& options, terminal::shell& shell);

}  // namespace apus::cli::work

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
    bool all = false;                  ///< Whether lint and lifetimes check all sources instead of changed ones.
    std::vector<std::string> parts{};  ///< Empty: all parts.
};

/// Checks format, rules, modules, clang-tidy, lifetimes, the API description and SQL statements.
/// Runs all selected parts even after findings. A part that cannot run, because the build fails or a program is
/// missing, counts as failed. Returns true if all parts passed.
bool check(const check_options& options, terminal::shell& shell);

}  // namespace apus::cli::work

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// The parts of `check`, in their order.
inline constexpr std::string_view check_parts = "format|rules|modules|lint|openapi";

/// What to look at.
struct check_options {
    std::string preset;
    bool all = false;                  ///< By clang-tidy every source, not only those that git says have changed.
    std::vector<std::string> parts{};  ///< None: each.
};

/// Looks at the layout, the project's own rules, the borders of modules, what clang-tidy finds, and the description
/// of the app. Goes through all of it whatever is found; a part that cannot be gone through, since the project does
/// not build or a program is missing, counts as one that found something. Returns whether all is well.
bool check(const check_options& options, terminal::shell& shell);

}  // namespace apus::cli::work

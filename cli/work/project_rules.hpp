// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/manifest/manifest.hpp"

namespace apus::cli::work {

/// Returns violations of `[check]` in apus.toml, such as "src/app.cpp:12: includes ...".
/// For a failed command, the text contains its output.
std::vector<std::string> broken_rules(const manifest::manifest& project);

}  // namespace apus::cli::work

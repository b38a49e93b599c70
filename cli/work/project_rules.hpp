// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/manifest/manifest.hpp"

namespace apus::cli::work {

/// What breaks a rule of `[check]` in apus.toml: "src/app.cpp:12: includes ...", or what a command says.
std::vector<std::string> broken_rules(const manifest::manifest& project);

}  // namespace apus::cli::work

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/manifest/manifest.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::database {

/// Switches a project to PostgreSQL by setting `url` of `[database]` in apus.toml.
/// Nothing else changes, since programs link both engines.
void use_postgres(const manifest::manifest& project, terminal::shell&);

/// Returns DATABASE_URL from apus.toml, for the environment of the project's program.
/// Empty if apus.toml has no URL or if DATABASE_URL is already set.
std::vector<std::pair<std::string, std::string>> program_environment(const manifest::manifest& project);

}  // namespace apus::cli::database

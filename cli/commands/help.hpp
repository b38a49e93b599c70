// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/commands/command.hpp"

namespace apus::cli::commands {

/// Each command in a line, under its group's heading.
std::string help_of_all();

/// The commands whose first word is this ("sdk").
std::string help_of_group(std::string_view word);

/// A command whole: usage, operands, options, examples.
std::string help_of(const command& of);

/// "[OPTIONS] NAME [-- ARGUMENT...]".
std::string usage_of(const command& of);

/// "-r, --release", "    --preset NAME".
std::string spelling_of(const option& of);

/// The version, as `apus --version` has it.
std::string_view version_text() noexcept;

}  // namespace apus::cli::commands

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/commands/command.hpp"

namespace apus::cli::commands {

/// Returns the list of all commands, one line each, below the headings of their groups.
std::string help_of_all();

/// Returns help for the commands of a group, such as "sdk".
std::string help_of_group(std::string_view word);

/// Returns the full help of a command: usage, operands, options, examples.
std::string help_of(const command& of);

/// Returns the usage of a command: "[OPTIONS] NAME [-- ARGUMENT...]".
std::string usage_of(const command& of);

/// Returns an option as in help: "-r, --release", "    --preset NAME".
std::string spelling_of(const option& of);

/// Returns the version that `apus --version` prints.
std::string_view version_text() noexcept;

}  // namespace apus::cli::commands

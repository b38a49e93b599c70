// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "cli/commands/command.hpp"
#include "cli/installation/store.hpp"

namespace apus::cli::commands {

/// Operand that names an installed SDK.
inline constexpr operand sdk_name{"NAME", "an SDK from `apus sdk list`", operand_count::one};

/// Returns the installed SDK with this name. Throws E0502 with a suggestion.
installation::sdk sdk_named(std::string_view name);

}  // namespace apus::cli::commands

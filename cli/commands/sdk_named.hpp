// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "cli/commands/command.hpp"
#include "cli/installation/store.hpp"

namespace apus::cli::commands {

/// The operand of commands about an SDK that is installed.
inline constexpr operand sdk_name{"NAME", "an SDK, as `apus sdk list` has it", how_many::one};

/// The SDK of this name. Throws E0502, with what was meant.
installation::sdk sdk_named(std::string_view name);

}  // namespace apus::cli::commands

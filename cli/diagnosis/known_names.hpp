// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/diagnosis/pattern.hpp"
#include "cli/diagnosis/rule.hpp"

#include <optional>

namespace apus::cli::diagnosis {

/// Looks up a name in `found` and returns further captures for an explanation; nullopt if unknown.
std::optional<captures> look_up(lookup by, const captures& found);

}  // namespace apus::cli::diagnosis

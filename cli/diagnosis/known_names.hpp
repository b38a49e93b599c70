// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/diagnosis/pattern.hpp"
#include "cli/diagnosis/rule.hpp"

#include <optional>

namespace apus::cli::diagnosis {

/// What is known of the name that `found` holds, to fill into an explanation; nothing if it is not known.
std::optional<captures> look_up(lookup by, const captures& found);

}  // namespace apus::cli::diagnosis

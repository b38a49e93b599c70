// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sql/engine.hpp"

#include <memory>
#include <string_view>

namespace apus::sql {

/// Reads the plan of a statement in the background, and logs it.
/// Uses a connection of this core's pool. Reads at most one plan at a time per core, and the plan of each statement at
/// most once in 10 minutes.
void log_plan(const std::shared_ptr<engine>&, std::string_view statement);

bool is_reading_plan() noexcept;  ///< Whether this core is reading a plan.

}  // namespace apus::sql

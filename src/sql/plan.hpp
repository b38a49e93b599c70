// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sql/engine.hpp"

#include <memory>
#include <string_view>

namespace apus::sql {

/// Logs the plan of a statement, read by a connection of the pool in the background of this core.
/// At most one at a time per core, and each statement once in 10 minutes.
void log_plan(const std::shared_ptr<engine>&, std::string_view statement);

bool is_reading_plan() noexcept;  ///< Whether this core is reading a plan.

}  // namespace apus::sql

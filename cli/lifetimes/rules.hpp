// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cli/lifetimes/findings.hpp"
#include "cli/lifetimes/functions.hpp"

namespace apus::cli::lifetimes {

/// Checks local references and views of a coroutine.
/// Finds variables that refer to temporaries or to elements of shared containers.
void check_variables(const function&, const program&, std::vector<finding>&);

/// Checks views and references that a coroutine returns.
void check_returns(const function&, const program&, std::vector<finding>&);

/// Checks arguments of tasks that are not awaited where they are created.
void check_calls(const function&, const program&, std::vector<finding>&);

/// Checks lambdas that an app stores, for references to variables with a shorter lifetime.
void check_handlers(const function&, const program&, std::vector<finding>&);

/// Returns a finding at the beginning of a node.
finding finding_at(const node&, std::string what, std::string fix);

/// Returns the line of a node as text: "line 12".
std::string line_of(const node&);

}  // namespace apus::cli::lifetimes

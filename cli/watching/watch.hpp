// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/terminal/shell.hpp"
#include "cli/watching/admin_client.hpp"
#include "cli/watching/screen.hpp"

namespace apus::cli::watching {

/// Prints the state of a server once, with the rates of one second.
/// Throws E0320 if the address is not an Apus server's.
void print_once(const admin_client&, view, terminal::shell&);

/// Shows the state of a server until the user quits, and redraws it each second.
/// Throws E0320 if the server is not reachable at the start. Later, shows the error and tries again.
void watch(const admin_client&, view, bool colored);

}  // namespace apus::cli::watching

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <sys/types.h>

namespace apus::server {

/// Reports the result of a restart to `apus restart`, if this command requested the restart.
/// The command waits at the abstract Unix socket `apus-restart-PID`, where PID is the process ID of the command.
void report_restart(pid_t to, bool succeeded, std::string_view sentence) noexcept;

}  // namespace apus::server

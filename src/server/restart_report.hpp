// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <sys/types.h>

namespace apus::server {

/// Reports the result of a restart to the requesting process, if this process is `apus restart`.
/// That process waits at the abstract Unix socket `apus-restart-PID`, where PID is its own process ID.
void report_restart(pid_t to, bool succeeded, std::string_view sentence) noexcept;

}  // namespace apus::server

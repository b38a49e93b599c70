// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include <sys/types.h>

namespace apus::cli::work {

/// Returns the process ID in a PID file. Throws E0103 or E0317.
pid_t read_pid_file(const std::filesystem::path& file);

/// Restarts a running server by SIGUSR2. Returns its report: which process serves now.
/// Throws E0317 if the process is not a server of Apus, if it reports a failure or ends, or without a report within
/// `longest`.
std::string restart_server(pid_t server, std::chrono::seconds longest);

}  // namespace apus::cli::work

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include <sys/types.h>

namespace apus::cli::work {

/// Returns the process id in a PID file. Throws E0103 or E0317.
pid_t read_pid_file(const std::filesystem::path& file);

/// Restarts a running server by SIGUSR2, and returns its report, which names the new process.
/// Throws E0317 if the process is not an Apus server, reports a failure, ends, or does not report within `longest`.
std::string restart_server(pid_t server, std::chrono::seconds longest);

}  // namespace apus::cli::work

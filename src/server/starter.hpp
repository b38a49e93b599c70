// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/program_start.hpp"

#include <expected>
#include <span>
#include <string>

#include <signal.h>
#include <sys/types.h>

namespace apus::server {

/// Starts the program again for a restart, from a process outside of the sandbox.
/// The constructor forks this process, before the sandbox applies and before certificates and sockets are opened. The
/// forked process starts only this program, with the arguments and the environment at the time of the fork. The started
/// process is a child of the server. The forked process ends when this object is destroyed or the server ends.
class starter {
public:
    /// Forks the process. `mask`: the signals that are blocked in started programs.
    starter(const program_start&, const sigset_t& mask);
    starter(const starter&) = delete;
    starter& operator=(const starter&) = delete;
    ~starter();

    /// See `program_start::start`. Waits for at most 5 s.
    std::expected<pid_t, std::string> start(std::span<const passed_socket>, int channel, const std::string& notify);
    void kill() noexcept;  ///< Kills the process that was started last, and its process group.

private:
    pid_t pid_ = -1;
    int channel_ = -1;
};

}  // namespace apus::server

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/program_start.hpp"

#include <expected>
#include <span>
#include <string>

#include <signal.h>
#include <sys/types.h>

namespace apus::server {

/// Starts the program again from outside of the sandbox, for restarts.
/// A process is forked before the sandbox applies, and before certificates and sockets are opened. On request it starts
/// the program that it was forked from, with the arguments and the environment of that time, and nothing else. The new
/// process is a child of this one. The starter ends with this object, or with this process.
class starter {
public:
    /// Forks the process. `mask`: the signals that are blocked in started programs.
    starter(const program_start&, const sigset_t& mask);
    starter(const starter&) = delete;
    starter& operator=(const starter&) = delete;
    ~starter();

    /// See `program_start::start`. Waits for at most 5 s.
    std::expected<pid_t, std::string> start(std::span<const passed_socket>, int channel, const std::string& notify);
    void kill() noexcept;  ///< Kills the process that was started last, with its process group.

private:
    pid_t pid_ = -1;
    int channel_ = -1;
};

}  // namespace apus::server

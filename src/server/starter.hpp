// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/program_start.hpp"

#include <chrono>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <signal.h>
#include <sys/types.h>

namespace apus::server {

/// Starts the program again for a restart, from a process outside of the sandbox.
/// The constructor forks this process, before the sandbox applies and before certificates and sockets are opened. The
/// forked process starts only this program, with the arguments and the environment at the time of the fork. The started
/// process is a child of the server. The forked process ends when this object is destroyed or the server ends.
class starter {
public:
    /// Forks the process.
    /// `mask`: the signals that are blocked in started programs. `longest_wait`: deadline of the other functions.
    starter(const program_start&, const sigset_t& mask,
            std::chrono::milliseconds longest_wait = std::chrono::milliseconds(5000));
    starter(const starter&) = delete;
    starter& operator=(const starter&) = delete;
    ~starter();

    /// See `program_start::start`. A program that is not started in time is killed if it starts later.
    std::expected<pid_t, std::string> start(std::span<const passed_socket>, int channel, const std::string& notify);
    /// Kills the process that was started last, and its process group. Waits until the signal is sent.
    /// Call waitpid(2) for the process only afterwards: the kernel may then assign its ID to another process.
    void kill() noexcept;

private:
    std::optional<std::string> read_reply(unsigned request);
    void discard(std::string_view reply) noexcept;

    const std::chrono::milliseconds longest_wait_;
    pid_t pid_ = -1;
    int channel_ = -1;
    unsigned requests_ = 0;  // the number of the last start or kill
    pid_t late_ = -1;        // a program that was started too late
};

}  // namespace apus::server

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/program_start.hpp"
#include "server/starter.hpp"

#include <chrono>
#include <span>
#include <string>

#include <poll.h>

namespace apus::server {

/// The new process of a restart, as seen by the old process.
/// Over a channel, the new process reports that it is ready, that it serves, or why it failed. It begins to serve after
/// `let_serve`, or when the old process ends. The destructor kills the new process and its process group, unless
/// `release` was called.
class successor {
public:
    using clock = std::chrono::steady_clock;

    /// Starts the new process. If the start fails, the next `look` reports the failure.
    /// `outside` starts processes outside of this process's sandbox, and must outlive this object. Null: no sandbox.
    successor(const program_start&, starter* outside, std::span<const passed_socket>, const sigset_t& mask,
              const std::string& notify, clock::time_point deadline);
    successor(const successor&) = delete;
    successor& operator=(const successor&) = delete;
    ~successor();

    enum class state {
        starting,
        ready,        ///< Waits for `let_serve`.
        taking_over,  ///< `let_serve` was called; the new process does not serve yet.
        serving,
        failed
    };
    state look(clock::time_point now);  ///< Returns the current state. Does not block.
    const std::string& failure() const noexcept { return failure_; }

    /// Lets the new process serve. Call in state `ready`.
    /// The state becomes `serving`, or `failed` if the process ends or does not serve before the deadline.
    void let_serve(clock::time_point deadline) noexcept;
    /// Leaves the service to the new process, which outlives this object. Call in state `serving`.
    /// Waits until the new process has replaced the PID file, for at most 1 s.
    void release() noexcept;

    pid_t pid() const noexcept { return pid_; }
    clock::time_point deadline() const noexcept { return deadline_; }
    pollfd channel() const noexcept { return {closed_ ? -1 : channel_, POLLIN, 0}; }
    pollfd exit() const noexcept { return {pidfd_, POLLIN, 0}; }  ///< Readable when the process has ended.

private:
    state fail(std::string why);
    void kill() noexcept;

    starter* outside_;
    pid_t pid_ = -1;
    int channel_ = -1;
    int pidfd_ = -1;
    bool closed_ = false;  // the new process has closed the channel
    clock::time_point deadline_;
    state state_ = state::starting;
    std::string failure_;
};

/// The old process of a restart, as seen by the new process.
class predecessor {
public:
    predecessor();  ///< Reads APUS_RESTART, and removes it from the environment.
    predecessor(const predecessor&) = delete;
    predecessor& operator=(const predecessor&) = delete;
    ~predecessor();

    explicit operator bool() const noexcept { return channel_ >= 0; }
    void report_ready() noexcept;
    void report_failure(const std::string& why) noexcept;
    void report_serving() noexcept;  ///< Call after `has_left` returns true. The old process may then exit.

    /// After `report_ready`: readable when `has_left` must be called, and later `has_released`.
    pollfd channel() const noexcept { return {ready_ ? channel_ : -1, POLLIN, 0}; }
    /// Returns true if the old process lets this process serve, or has ended. Does not block.
    bool has_left() noexcept;
    /// Returns true if the old process has left the service to this process, or has ended.
    /// Does not block. Until then, the old process may still kill this process and its process group, and continue
    /// alone. Afterwards, this process is in the process group of the old process, so that it gets signals of the
    /// terminal.
    bool has_released() noexcept;
    void close() noexcept;  ///< Call after `has_released` returns true. Afterwards, this object is false.

private:
    void send(std::string_view text) noexcept;

    int channel_ = -1;
    bool ready_ = false;
    pid_t group_ = 0;  // process group of the old process, if this process may serve
};

}  // namespace apus::server

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/program_start.hpp"
#include "server/starter.hpp"

#include <chrono>
#include <span>
#include <string>

#include <poll.h>

namespace apus::server {

/// The new process of a restart, as seen by the old one.
/// It reports that it is ready, or why it failed, over a channel; it serves when it is told to, or when this process
/// ends. Destroying this object kills it, with its process group, unless it serves.
class successor {
public:
    using clock = std::chrono::steady_clock;

    /// Starts it. On failure, the next `look` reports it.
    /// `outside`: starts it outside of the sandbox of this process. Null: no sandbox. Must outlive this object.
    successor(const program_start&, starter* outside, std::span<const passed_socket>, const sigset_t& mask,
              const std::string& notify, clock::time_point deadline);
    successor(const successor&) = delete;
    successor& operator=(const successor&) = delete;
    ~successor();

    enum class state {
        starting,
        ready,
        failed
    };
    state look(clock::time_point now);  ///< Reads the news. Does not block.
    const std::string& failure() const noexcept { return failure_; }

    /// Lets it take over the sockets. Once, if it is ready.
    /// Waits until it serves, for at most a second.
    void let_serve() noexcept;

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
    bool closed_ = false;  // by the new process
    clock::time_point deadline_;
    state state_ = state::starting;
    std::string failure_;
};

/// The old process of a restart, as seen by the new one.
class predecessor {
public:
    predecessor();  ///< Reads APUS_RESTART, and removes it from the environment.
    predecessor(const predecessor&) = delete;
    predecessor& operator=(const predecessor&) = delete;
    ~predecessor();

    explicit operator bool() const noexcept { return channel_ >= 0; }
    void report_ready() noexcept;
    void report_failure(const std::string& why) noexcept;
    void report_serving() noexcept;  ///< After `has_left`. The old process may then exit.

    /// Readable, once this process is ready, when `has_left` is to be called.
    pollfd channel() const noexcept { return {ready_ ? channel_ : -1, POLLIN, 0}; }
    /// Returns true if the old process has told this one to serve, or has ended. Does not block.
    /// Then joins the process group of the old process, so that the terminal's signals reach it.
    bool has_left() noexcept;

private:
    void send(std::string_view text) noexcept;

    int channel_ = -1;
    bool ready_ = false;
};

}  // namespace apus::server

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/program_start.hpp"
#include "server/starter.hpp"

#include <chrono>
#include <span>
#include <string>
#include <string_view>

#include <poll.h>

namespace apus::server {

/// The new process of a restart, as seen by the old process.
/// Over a channel, the new process reports that it is ready, that it serves, or why it failed. It begins to serve
/// after `let_serve`, or when the old process ends. Then it is on trial: if it ends, the old process continues.
/// The destructor kills the new process and its process group, unless `release` was called.
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
        on_trial,     ///< The new process serves; it must not end before the trial has passed.
        serving,
        failed
    };
    state look(clock::time_point now);  ///< Returns the current state. Does not block.
    const std::string& failure() const noexcept { return failure_; }

    /// Durations of a takeover.
    struct limits {
        clock::duration start;  ///< Until the new process serves.
        clock::duration trial;
        clock::duration stop;  ///< Until a new process that was stopped by a signal during the trial has ended.
    };
    /// Lets the new process serve. Call in state `ready`.
    /// The state becomes `serving`, or `failed` if the process ends before, or does not serve in time.
    void let_serve(const limits&) noexcept;
    bool is_on_trial() const noexcept { return state_ == state::on_trial; }
    /// The new process has begun to accept, so it may have requests in flight.
    bool has_accepted() const noexcept { return is_on_trial() || state_ == state::serving; }
    /// In state `on_trial`: the new process stops or crashes, and accepts no connections any more.
    bool has_stopped() const noexcept { return closed_; }
    void request_reload() noexcept;  ///< Makes the new process reload its configuration and certificates.
    /// Requests a graceful stop, as if the new process had received this signal.
    /// Call if `has_accepted`. The new process may have requests in flight: wait for `has_ended` until `deadline`, then
    /// the destructor kills it. Do not call `look` afterwards.
    void request_stop(int signal) noexcept;
    bool has_ended() noexcept;
    int exit_status() const noexcept;  ///< If `has_ended`; as of a shell: 128 plus the number of a signal.
    /// Leaves the service to the new process, which outlives this object. Call in state `serving`.
    /// Waits until the new process has replaced the PID file, for at most 1 s.
    void release() noexcept;

    pid_t pid() const noexcept { return pid_; }
    clock::time_point deadline() const noexcept { return deadline_; }
    pollfd channel() const noexcept { return {closed_ ? -1 : channel_, POLLIN, 0}; }
    /// Readable when the process has ended, until `has_ended` has returned true.
    pollfd exit() const noexcept { return {ended_ ? -1 : pidfd_, POLLIN, 0}; }

private:
    state fail(std::string why);
    void send(std::string_view word, int number) noexcept;
    bool kill() noexcept;

    starter* outside_;
    pid_t pid_ = -1;
    int channel_ = -1;
    int pidfd_ = -1;
    bool closed_ = false;  // the new process has closed the channel, or crashes
    bool ended_ = false;
    clock::time_point deadline_;
    limits limits_{};
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

    /// Readable when `has_left` or, after `report_serving`, `look` must be called.
    pollfd channel() const noexcept { return {waits_ ? channel_ : -1, POLLIN, 0}; }
    /// The socket of the channel, or -1. If it is shut down for writing, the old process accepts again.
    int socket() const noexcept { return channel_; }
    /// Returns true if the old process lets this process serve, or has ended. Does not block.
    bool has_left() noexcept;

    /// A message of the old process.
    struct request {
        bool released = false;  ///< The old process has left the service to this process, or has ended.
        bool reload = false;    ///< Reload configuration and certificates.
        int stop = 0;           ///< Stop gracefully for the reason of this signal. 0: no.
    };
    /// Returns the next request of the old process. Call after `report_serving`. Does not block.
    /// Until this process is released, the old process may still kill it and its process group, and continue alone.
    /// Afterwards, this process is in the process group of the old process, so that it gets signals of the terminal.
    request look() noexcept;
    void close() noexcept;  ///< Call after the release, or when this process stops. Afterwards, this object is false.

private:
    void send(std::string_view text) noexcept;

    int channel_ = -1;
    bool waits_ = false;
    pid_t group_ = 0;  // process group of the old process, if this process may serve
};

}  // namespace apus::server

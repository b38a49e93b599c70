// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/timer_wheel.hpp"
#include "web/process_reporter.hpp"

#include <apus/health.hpp>

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace apus::operations {

class exposition;

/// State of the process, in order.
enum class process_state : std::uint8_t {
    starting,
    serving,
    draining
};

/// Results of the health checks, and the answers to probes.
/// Used only on the administration thread, except `enter`. Checks run on a core. At most one run of a check is in
/// progress, however many probes wait for it.
class health_board {
public:
    /// Starts runs on a core.
    /// The core calls `check_ended` later, on the board's thread. Without this call, the board reports a timeout.
    class runner {
    public:
        virtual void start_check(std::size_t number) = 0;
        /// Returns why the process needs a restart, such as a blocked core; empty if it needs none.
        virtual std::string stalled() = 0;

    protected:
        ~runner() = default;
    };

    explicit health_board(runner& with) noexcept;
    health_board(const health_board&) = delete;
    health_board& operator=(const health_board&) = delete;
    ~health_board();

    void add(std::string_view name, const check_options&);

    void enter(process_state s) noexcept { state_.store(s, std::memory_order_relaxed); }  ///< Thread-safe.
    process_state state() const noexcept { return state_.load(std::memory_order_relaxed); }

    /// Runs the checks whose results are too old, then answers a probe.
    /// `live`: considers only the liveness checks.
    task<web::process_report> report(bool live, web::report_format);

    /// Takes the outcome of a run. `why` is null if the check has passed.
    void check_ended(std::size_t number, const error* why, std::uint64_t nanoseconds);

    /// Writes the last results as metrics.
    void describe(exposition&) const;

private:
    struct check {
        std::string name;
        check_options options;
        bool running = false;  // a run was started, and the core has not answered yet
        bool overdue = false;  // the core has not answered in time
        bool known = false;    // there is a result
        bool passing = false;
        std::string reason;
        std::uint64_t nanoseconds = 0;         // duration of the last run
        std::uint64_t started = 0, ended = 0;  // milliseconds of the loop
        std::uint64_t runs = 0, failures = 0;
    };
    struct waiter;
    struct expiry : runtime::timer {
        health_board* of;
    };

    bool starts_needed(check&);
    void start(std::size_t number) noexcept;
    bool waits_for(bool live, std::uint64_t since) const noexcept;
    void settle(check&, bool passing, std::string reason, std::string_view cause);
    void expire();
    void watch_clock();
    void resume_waiters() noexcept;
    std::string text(bool live, bool good, const std::string& why) const;
    std::string json(bool live, bool good, const std::string& why) const;

    runner& runner_;
    std::atomic<process_state> state_ = process_state::starting;
    std::deque<check> checks_;
    waiter* first_ = nullptr;
    expiry timer_{};
};

}  // namespace apus::operations

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/activity.hpp"
#include "runtime/event_fd.hpp"
#include "server/blocked_times.hpp"
#include "server/thread_stack.hpp"

#include <apus/duration.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pthread.h>

namespace apus::server {

/// Reports blocked loops, and their recovery.
/// Used by one thread, which checks the loops periodically. The thread sleeps while all loops are idle; the first loop
/// that wakes up signals `wakeup_fd()`.
class watchdog {
public:
    /// Reports a loop as blocked after `limit`; 0 disables reports.
    /// `with_stack`: reports contain the thread's stack.
    watchdog(duration limit, bool with_stack);
    watchdog(const watchdog&) = delete;
    watchdog& operator=(const watchdog&) = delete;

    /// Checks this loop until the watchdog is destroyed. Loops are numbered in the order of calls.
    void watch(runtime::activity&, pthread_t);

    /// Also adds the time that loops are blocked to these totals, from now on.
    void count_in(blocked_times& totals) noexcept { totals_ = &totals; }

    /// Checks all loops. Returns the milliseconds until the next check, or -1.
    /// After -1, the next check is due when `wakeup_fd()` is readable. `now` is in milliseconds of CLOCK_MONOTONIC.
    /// Calls before this time are allowed; most of them do nothing.
    int look(std::uint64_t now);
    static std::uint64_t clock() noexcept;
    int wakeup_fd() const noexcept { return wakeup_.fd(); }

    /// Logs the request that keeps loop `number` from ending.
    void report_blocking_request(unsigned number, const char* message);

private:
    struct watched {
        runtime::activity* doing;
        pthread_t thread;
        std::uint64_t reported = 0;  // `busy_since` of the last reported iteration
        std::string route{};         // route in the report
        std::vector<std::uintptr_t> stack{};
        std::uint64_t counted = 0;  // milliseconds of the reported iteration in the totals
    };
    void look_at(watched&, std::uint64_t now, std::uint64_t since);
    void report(watched&, const char* message, std::uint64_t milliseconds);
    void count(watched&, std::uint64_t milliseconds);

    // For the stacks of all loops: the thread has other work. Threads that are not blocked may wait for a processor.
    static constexpr std::chrono::milliseconds wait_per_look{100};

    const std::uint64_t limit_;                  // milliseconds
    std::chrono::milliseconds longest_wait_{0};  // the rest of `wait_per_look`
    std::optional<thread_stacks> stacks_;
    blocked_times* totals_ = nullptr;
    runtime::event_fd wakeup_;
    bool armed_ = false;     // the loops signal `wakeup_` when they wake up
    std::uint64_t due_ = 0;  // time of the next check; until then a loop signals at most once
    std::vector<watched> loops_;
};

}  // namespace apus::server

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/activity.hpp"
#include "runtime/bell.hpp"
#include "server/thread_stack.hpp"

#include <apus/duration.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pthread.h>

namespace apus::server {

/// Reports loops that do not turn, and when they turn again. Of one thread, which looks at the loops
/// now and then; while all of them are idle it need not: a loop that wakes up rings.
class watchdog {
public:
    /// A loop is blocked after `limit`; 0: none ever is. `with_stack`: reports hold the stack.
    watchdog(duration limit, bool with_stack);
    watchdog(const watchdog&) = delete;
    watchdog& operator=(const watchdog&) = delete;

    /// Looks at this loop, which is numbered by the calls, until the watchdog ends.
    void watch(runtime::activity&, pthread_t);

    /// Looks at all loops. The milliseconds after which to look again; -1: when `rung` is readable.
    /// `now` is in milliseconds of CLOCK_MONOTONIC. It may be called at any time, and mostly does nothing.
    int look(std::uint64_t now);
    static std::uint64_t clock() noexcept;
    int rung() const noexcept { return bell_.fd(); }

    /// Logs the request that keeps a loop from ending.
    void name_culprit(unsigned number, const char* message);

private:
    struct watched {
        runtime::activity* doing;
        pthread_t thread;
        std::uint64_t reported = 0;  // `busy_since` of the turn that was reported
        std::string route{};         // in the report
    };
    void look_at(watched&, std::uint64_t now, std::uint64_t since);
    void report(watched&, const char* message, std::uint64_t milliseconds);

    const std::uint64_t limit_;  // milliseconds
    std::optional<thread_stacks> stacks_;
    runtime::bell bell_;
    bool armed_ = false;     // the loops ring when they wake up
    std::uint64_t due_ = 0;  // when to look again: a loop rings at most once until then
    std::vector<watched> loops_;
};

}  // namespace apus::server

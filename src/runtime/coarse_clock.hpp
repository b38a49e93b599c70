// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/activity.hpp"

#include <cstdint>
#include <ctime>

namespace apus::runtime {

/// Clock of a loop.
/// The system clock is read once per turn (loop iteration), so the time is constant within a turn.
class coarse_clock {
public:
    coarse_clock() noexcept { update(); }

    void update() noexcept {
        timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        const std::uint64_t read =
            static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
        since_last_ = read - nanoseconds_;
        nanoseconds_ = read;
        now_ = read / 1'000'000 + ahead_;
        doing.wakes(now_ - ahead_);
        clock_gettime(CLOCK_REALTIME_COARSE, &t);
        seconds_ = t.tv_sec + static_cast<std::int64_t>(ahead_ / 1000);
    }

    /// For tests: advances the clock by a number of milliseconds.
    void move(std::int64_t by) noexcept {
        ahead_ += static_cast<std::uint64_t>(by);
        update();
    }

    std::uint64_t nanoseconds() const noexcept { return nanoseconds_; }  ///< CLOCK_MONOTONIC at the start of the turn.
    /// Nanoseconds between the starts of the previous turn and of this turn.
    std::uint64_t since_last() const noexcept { return since_last_; }
    std::uint64_t ahead() const noexcept { return ahead_; }  ///< Milliseconds that `now` is ahead of CLOCK_MONOTONIC.
    std::uint64_t now() const noexcept { return now_; }      ///< Milliseconds of a monotonic clock.
    std::int64_t unix_seconds() const noexcept { return seconds_; }  ///< Wall clock.

    activity doing;  ///< State of the loop, for other threads.

private:
    std::uint64_t now_ = 0;
    std::uint64_t nanoseconds_ = 0, since_last_ = 0;
    std::int64_t seconds_ = 0;
    std::uint64_t ahead_ = 0;  // milliseconds ahead of the system clocks
};

}  // namespace apus::runtime

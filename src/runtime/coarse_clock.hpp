// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/activity.hpp"
#include "runtime/cycles.hpp"

#include <cstdint>
#include <ctime>

namespace apus::runtime {

/// Clock of a loop.
/// The system clock is read once per turn (loop iteration), so the time is constant within a turn.
class coarse_clock {
public:
    coarse_clock() noexcept { update(); }

    void update() noexcept {
        const std::uint64_t read = nanoseconds_of(CLOCK_MONOTONIC);
        cycles_ = cycles();
        since_last_ = read - nanoseconds_;
        nanoseconds_ = read;
        now_ = read / 1'000'000 + ahead_;
        doing.wakes(now_ - ahead_);
        if (now_ < seconds_due_) return;
        timespec t;
        clock_gettime(CLOCK_REALTIME_COARSE, &t);
        seconds_ = t.tv_sec + static_cast<std::int64_t>(ahead_ / 1000);
        seconds_due_ = now_ + tick;
    }

    /// Reads a system clock.
    static std::uint64_t nanoseconds_of(clockid_t clock) noexcept {
        timespec t;
        clock_gettime(clock, &t);
        return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
    }

    /// For tests: advances the clock by a number of milliseconds.
    void move(std::int64_t by) noexcept {
        ahead_ += static_cast<std::uint64_t>(by);
        seconds_due_ = 0;
        update();
    }

    /// Whether this turn has taken less than a millisecond. Costs less than reading a clock.
    /// Also false for a shorter turn if the counter is faster than 1 GHz, and always without a usable counter.
    /// Reliable if the counter has at least 1 GHz (cycles.hpp).
    bool is_short_turn() const noexcept { return cycles() - cycles_ < cycles_of_a_millisecond; }

    std::uint64_t nanoseconds() const noexcept { return nanoseconds_; }  ///< CLOCK_MONOTONIC at the start of the turn.
    /// Nanoseconds between the starts of the previous turn and of this turn.
    std::uint64_t since_last() const noexcept { return since_last_; }
    std::uint64_t ahead() const noexcept { return ahead_; }  ///< Milliseconds that `now` is ahead of CLOCK_MONOTONIC.
    std::uint64_t now() const noexcept { return now_; }      ///< Milliseconds of a monotonic clock.
    /// The first value of `now` that is at least `time` nanoseconds after this call.
    /// It reads the system clock, so it is right even late in a long turn.
    std::uint64_t due_after(std::int64_t time) const noexcept {
        return (nanoseconds_of(CLOCK_MONOTONIC) + static_cast<std::uint64_t>(time) + 999'999) / 1'000'000 + ahead_;
    }
    std::int64_t unix_seconds() const noexcept { return seconds_; }  ///< Wall clock.

    activity doing;  ///< State of the loop, for other threads.

private:
    static constexpr std::uint64_t tick = 4;  // milliseconds; most kernels update the coarse clocks as often

    std::uint64_t now_ = 0;
    std::uint64_t cycles_ = 0;
    std::uint64_t seconds_due_ = 0;
    std::uint64_t nanoseconds_ = 0, since_last_ = 0;
    std::int64_t seconds_ = 0;
    std::uint64_t ahead_ = 0;  // milliseconds ahead of the system clocks
};

}  // namespace apus::runtime

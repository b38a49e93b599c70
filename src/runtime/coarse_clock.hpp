// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ctime>

namespace apus::runtime {

/// The time as a loop sees it: read once a turn, the same for all that happens in it.
class coarse_clock {
public:
    coarse_clock() noexcept { update(); }

    void update() noexcept {
        timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        now_ = static_cast<std::uint64_t>(t.tv_sec) * 1000 + static_cast<std::uint64_t>(t.tv_nsec) / 1'000'000 + ahead_;
        clock_gettime(CLOCK_REALTIME_COARSE, &t);
        seconds_ = t.tv_sec + static_cast<std::int64_t>(ahead_ / 1000);
    }

    /// For tests: from here on it is so many milliseconds later.
    void move(std::int64_t by) noexcept {
        ahead_ += static_cast<std::uint64_t>(by);
        update();
    }

    std::uint64_t ahead() const noexcept { return ahead_; }  ///< Milliseconds that `now` is ahead of CLOCK_MONOTONIC.
    std::uint64_t now() const noexcept { return now_; }           ///< Milliseconds, of a clock that is never set.
    std::int64_t unix_seconds() const noexcept { return seconds_; }  ///< Wall clock.

private:
    std::uint64_t now_ = 0;
    std::int64_t seconds_ = 0;
    std::uint64_t ahead_ = 0;  // of the clocks of the system, in milliseconds
};

}  // namespace apus::runtime

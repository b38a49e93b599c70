// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace apus::runtime {

struct timer_link {
    timer_link* next = nullptr;
    timer_link* before = nullptr;
};

/// Base of timers.
/// A timer is part of its owner, and in at most one wheel. Remove a timer before you destroy or move it.
struct timer : timer_link {
    std::uint64_t due = 0;  ///< Time of the wheel's clock, in milliseconds.
    void (*fire)(timer&) noexcept = nullptr;

    timer() = default;
    explicit timer(void (*what)(timer&) noexcept) noexcept : fire(what) {}

    bool waits() const noexcept { return next != nullptr; }
};

static_assert(sizeof(timer) == 32, "two timers must fit into a cache line");

/// Hierarchical timer wheel of one core, in milliseconds, for any 64-bit time.
/// Adding, moving and removing take constant time. For one thread. The level of a timer is the highest base-64 digit in
/// which its time differs from the wheel's time. So all times of a level precede the times of the next level, and slots
/// in the past are empty.
class timer_wheel {
public:
    explicit timer_wheel(std::uint64_t now = 0) noexcept;  ///< `now` in milliseconds.
    timer_wheel(const timer_wheel&) = delete;
    timer_wheel& operator=(const timer_wheel&) = delete;
    ~timer_wheel();  ///< Detaches the remaining timers, which do not fire.

    /// Fires `t` when `advance` reaches `due`.
    /// Moves `t` if it is in the wheel. A time in the past counts as now. Within a `fire`, a time up to now counts as
    /// the next millisecond, so that a timer that always adds itself again cannot block the wheel. `t.fire` must be
    /// set.
    void add(timer& t, std::uint64_t due) noexcept;

    /// Removes `t` if it is in the wheel.
    void remove(timer& t) noexcept;

    /// Returns the time for the next call of `advance`; an empty optional if the wheel is empty.
    /// This time is never after the time of the next timer. It is before that time only if timers must move to a lower
    /// level, which happens at most once per level for a timer.
    std::optional<std::uint64_t> next_due() const noexcept;

    /// Fires the timers that are due until `to`, ordered by time, then by insertion.
    /// `fire` may add, remove and destroy any timer, including the one that fires, but must not call `advance`. Has no
    /// effect if `to` is before `now`.
    void advance(std::uint64_t to) noexcept;

    std::uint64_t now() const noexcept { return now_; }  ///< Within `fire`: the due time of the timer.
    bool empty() const noexcept { return filled_levels_ == 0; }

private:
    static constexpr unsigned digit_bits = 6;
    static constexpr unsigned slots_of_level = 1U << digit_bits;
    static constexpr unsigned levels = 11;  // 66 bits: enough for a 64-bit time
    static constexpr unsigned firing = levels * slots_of_level;

    struct place {
        unsigned level;
        unsigned slot;
    };

    static std::uint64_t start_of(place, std::uint64_t now) noexcept;
    place earliest() const noexcept;
    void link(timer& t) noexcept;
    void take_out(unsigned list) noexcept;
    void cascade(place) noexcept;
    void fire_slot(place) noexcept;

    std::uint64_t now_;
    bool in_fire_ = false;
    std::uint32_t filled_levels_ = 0;
    std::uint64_t filled_[levels + 1] = {};          // bit set per level: slots with timers
    timer_link lists_[levels * slots_of_level + 1];  // the last list holds the due timers
};

}  // namespace apus::runtime

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace apus::runtime {

struct timer_link {
    timer_link* next = nullptr;
    timer_link* before = nullptr;
};

/// Something to do at a time. Lives inside what it belongs to; at most one wheel holds it, and it
/// must be removed before it is destroyed or moved.
struct timer : timer_link {
    std::uint64_t due = 0;  ///< In milliseconds of the wheel's clock.
    void (*fire)(timer&) noexcept = nullptr;

    timer() = default;
    explicit timer(void (*what)(timer&) noexcept) noexcept : fire(what) {}

    bool waits() const noexcept { return next != nullptr; }
};

static_assert(sizeof(timer) == 32, "two of them fit into a cache line");

/// The timers of one core, to the millisecond and to any horizon. Adding, moving and removing one
/// costs the same for a hundred thousand as for one. Not for several threads.
///
/// A timer lies on the lowest level on which its time and the wheel's differ only in one digit of
/// base 64 and those below. So every time on a level comes before every time on the level above,
/// and no slot behind the wheel's own time is ever filled.
class timer_wheel {
public:
    explicit timer_wheel(std::uint64_t now = 0) noexcept;  ///< `now` in milliseconds.
    timer_wheel(const timer_wheel&) = delete;
    timer_wheel& operator=(const timer_wheel&) = delete;
    ~timer_wheel();  ///< Timers still inside are let go and do not fire.

    /// Fires `t` when `advance` comes to `due`; moves it there if it waits already. A time that has
    /// passed counts as now, and from within a `fire` as the next millisecond: so a timer that adds
    /// itself again and again cannot hold the wheel up. `t.fire` must be set.
    void add(timer& t, std::uint64_t due) noexcept;

    /// Takes `t` out. Does nothing if it does not wait.
    void remove(timer& t) noexcept;

    /// When to call `advance` next; nothing if no timer waits. Never late. Early only by the few
    /// steps in which a far timer comes near: about one for each factor of 64 in its distance.
    std::optional<std::uint64_t> next_due() const noexcept;

    /// Fires the timers due until `to`, in order of their times, and of adding where these are
    /// equal. `fire` may add, remove and destroy any timer, its own and those about to fire
    /// included, but may not call this. Time does not go back: a lower `to` does nothing.
    void advance(std::uint64_t to) noexcept;

    std::uint64_t now() const noexcept { return now_; }  ///< Within `fire`: the time being fired.
    bool empty() const noexcept { return filled_levels_ == 0; }

private:
    static constexpr unsigned digit_bits = 6;
    static constexpr unsigned slots_of_level = 1U << digit_bits;
    static constexpr unsigned levels = 11;  // 66 bits: the whole of a 64-bit time
    static constexpr unsigned firing = levels * slots_of_level;

    struct place {
        unsigned level;
        unsigned slot;
    };

    static std::uint64_t start_of(place, std::uint64_t now) noexcept;
    place earliest() const noexcept;
    void link(timer& t) noexcept;
    void take_out(unsigned list) noexcept;
    void bring_nearer(place) noexcept;
    void fire_slot(place) noexcept;

    std::uint64_t now_;
    bool in_fire_ = false;
    std::uint32_t filled_levels_ = 0;
    std::uint64_t filled_[levels + 1] = {};          // which slots of each level hold timers
    timer_link lists_[levels * slots_of_level + 1];  // rings; the last holds those about to fire
};

}  // namespace apus::runtime

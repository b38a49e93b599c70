// SPDX-License-Identifier: Apache-2.0
#include "runtime/timer_wheel.hpp"

#include <bit>
#include <cassert>
#include <utility>

namespace apus::runtime {
namespace {

void append(timer_link& ring, timer_link& l) noexcept {
    l.next = &ring;
    l.before = ring.before;
    ring.before->next = &l;
    ring.before = &l;
}

void unlink(timer_link& l) noexcept {
    l.before->next = l.next;
    l.next->before = l.before;
    l.next = nullptr;
}

}  // namespace

timer_wheel::timer_wheel(std::uint64_t now) noexcept : now_(now) {
    for (auto& ring : lists_) ring.next = ring.before = &ring;
}

timer_wheel::~timer_wheel() {
    for (auto& ring : lists_)
        for (timer_link* l = ring.next; l != &ring;) l = std::exchange(l->next, nullptr);
}

void timer_wheel::add(timer& t, std::uint64_t due) noexcept {
    remove(t);
    const std::uint64_t soonest = in_fire_ ? now_ + 1 : now_;
    t.due = due < soonest ? soonest : due;
    link(t);
}

void timer_wheel::link(timer& t) noexcept {
    const auto highest_bit = static_cast<unsigned>(std::bit_width((t.due ^ now_) | 1)) - 1;
    const unsigned level = highest_bit / digit_bits;
    const unsigned slot = (t.due >> (level * digit_bits)) % slots_of_level;
    append(lists_[level * slots_of_level + slot], t);
    filled_[level] |= std::uint64_t{1} << slot;
    filled_levels_ |= 1U << level;
}

void timer_wheel::remove(timer& t) noexcept {
    if (!t.waits()) return;
    timer_link* const neighbour = t.next;
    const bool last = neighbour == t.before;  // both are the list head
    unlink(t);
    if (last) take_out(static_cast<unsigned>(neighbour - lists_));
}

// Clears the bit of an empty slot. Has no effect for the list of due timers, whose bits are never set.
void timer_wheel::take_out(unsigned list) noexcept {
    const unsigned level = list / slots_of_level;
    filled_[level] &= ~(std::uint64_t{1} << list % slots_of_level);
    if (filled_[level] == 0) filled_levels_ &= ~(1U << level);
}

timer_wheel::place timer_wheel::earliest() const noexcept {
    const auto level = static_cast<unsigned>(std::countr_zero(filled_levels_));
    return {level, static_cast<unsigned>(std::countr_zero(filled_[level]))};
}

std::uint64_t timer_wheel::start_of(place p, std::uint64_t now) noexcept {
    const unsigned shift = p.level * digit_bits;
    // On the top level, the shift overflows to 0, so `within` has all bits set.
    const std::uint64_t within = (std::uint64_t{slots_of_level} << shift) - 1;
    return (now & ~within) | std::uint64_t{p.slot} << shift;
}

std::optional<std::uint64_t> timer_wheel::next_due() const noexcept {
    if (empty()) return std::nullopt;
    return start_of(earliest(), now_);
}

void timer_wheel::advance(std::uint64_t to) noexcept {
    assert(!in_fire_ && "`fire` must not call `advance`");
    while (!empty()) {
        const place p = earliest();
        const std::uint64_t start = start_of(p, now_);
        if (start > to) break;
        now_ = start;
        if (p.level == 0) fire_slot(p);
        else cascade(p);
    }
    if (to > now_) now_ = to;
}

// Moves the timers of a slot to lower levels. Called when the wheel reaches the slot's first millisecond.
void timer_wheel::cascade(place p) noexcept {
    const unsigned list = p.level * slots_of_level + p.slot;
    auto& ring = lists_[list];
    timer_link* next = ring.next;
    ring.next = ring.before = &ring;
    take_out(list);
    while (next != &ring) link(static_cast<timer&>(*std::exchange(next, next->next)));
}

// Moves due timers to a separate list first, so that `fire` can still remove each of them.
void timer_wheel::fire_slot(place p) noexcept {
    auto& slot = lists_[p.slot];
    auto& ring = lists_[firing];
    ring.next = std::exchange(slot.next, &slot);
    ring.before = std::exchange(slot.before, &slot);
    ring.next->before = ring.before->next = &ring;
    take_out(p.slot);

    in_fire_ = true;
    while (ring.next != &ring) {
        auto& t = static_cast<timer&>(*ring.next);
        unlink(t);
        t.fire(t);
    }
    in_fire_ = false;
}

}  // namespace apus::runtime

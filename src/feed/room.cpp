// SPDX-License-Identifier: Apache-2.0
#include "feed/room.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace apus::feeds {

std::size_t size_of(const feed_event& of) noexcept {
    return sizeof(item) + of.id.size() + of.name.size() + of.data.size();
}

feed_event gap() {
    feed_event made;
    made.gap = true;
    return made;
}

room::~room() {
    for (const auto& each : entries_) each.value->let_go();
}

std::size_t room::remove_oldest() {
    const entry oldest = entries_.front();
    entries_.pop_front();
    ++first_;
    if (complete_after_ && oldest.id) complete_after_ = std::max(*complete_after_, oldest.id);
    const std::size_t bytes = size_of(oldest.value->value);
    bytes_ -= bytes;
    oldest.value->let_go();
    return bytes;
}

std::ptrdiff_t room::append(entry made, const feed_options& limits) {
    const std::size_t before = bytes_;
    entries_.push_back(made);
    if (made.id && !complete_after_) complete_after_ = made.id;
    bytes_ += size_of(made.value->value);
    while (entries_.size() > limits.room_events || bytes_ > limits.room_bytes) {
        if (entries_.size() == 1) break;
        remove_oldest();
    }
    return static_cast<std::ptrdiff_t>(bytes_) - static_cast<std::ptrdiff_t>(before);
}

// In a room without events, older events are unknown: only the first event is a position.
void room::begin(event_id last) {
    last_ = last;
    complete_after_ = last ? std::optional(last) : std::nullopt;
}

// Readers that have not read the entries before are behind.
std::ptrdiff_t room::begin_anew(event_id last, const feed_options& limits) {
    std::ptrdiff_t lost = 0;
    while (!entries_.empty()) lost += static_cast<std::ptrdiff_t>(remove_oldest());
    begin(last);
    return append({{}, new item(gap())}, limits) - lost;
}

std::ptrdiff_t room::add(feed_event event, event_id id, const feed_options& limits) {
    auto made = std::make_unique<item>(std::move(event));
    std::ptrdiff_t gained = 0;
    {
        const std::lock_guard lock(mutex_);
        if (id && last_ && id <= *last_) return 0;
        if (id) last_ = id;
        gained = append({id, made.release()}, limits);
    }
    wake();
    return gained;
}

std::ptrdiff_t room::add_gap(event_id last, const feed_options& limits) {
    std::ptrdiff_t gained = 0;
    {
        const std::lock_guard lock(mutex_);
        gained = begin_anew(last, limits);
    }
    wake();
    return gained;
}

void room::forget_position() {
    const std::lock_guard lock(mutex_);
    last_.reset();
    blind_ = true;
}

bool room::empty() const {
    const std::lock_guard lock(mutex_);
    return entries_.empty();
}

bool room::has(event_id id) const {
    const std::lock_guard lock(mutex_);
    if (!last_ || id > *last_) return false;
    // A message that arrives twice is usually a recent one.
    for (auto each = entries_.rbegin(); each != entries_.rend(); ++each)
        if (each->id && each->id <= id) return each->id == id;
    return false;
}

void room::skip(event_id id) {
    const std::lock_guard lock(mutex_);
    if (last_ && id <= *last_) return;
    // A reader that continues after an older event must read this one from the broker.
    last_ = complete_after_ = id;
}

std::size_t room::clear() {
    const std::lock_guard lock(mutex_);
    std::size_t lost = 0;
    while (!entries_.empty()) lost += remove_oldest();
    return lost;
}

void room::begin_after(event_id last) {
    {
        const std::lock_guard lock(mutex_);
        if (last_) return;
        begin(last);
    }
    wake();
}

void room::wake() const { (void)changes_.try_send(true); }

std::optional<event_id> room::last_id() const {
    const std::lock_guard lock(mutex_);
    return last_;
}

item* room::take(position& at) const {
    const std::lock_guard lock(mutex_);
    if (at.next < first_) {
        at.behind = true;
        return nullptr;
    }
    for (; at.next - first_ < entries_.size(); ++at.next) {
        const entry& each = entries_[at.next - first_];
        if (each.id ? each.id <= at.last : at.next < at.live_from) continue;
        if (each.id || each.value->value.gap) at.last = each.id;
        ++at.next;
        each.value->keep();
        return each.value;
    }
    return nullptr;
}

room::position room::at_end() const {
    const std::lock_guard lock(mutex_);
    const std::uint64_t end = first_ + entries_.size();
    return {end, {}, end, false};
}

room::position room::at_start() const {
    const std::lock_guard lock(mutex_);
    // A gap is for the readers of its time. Only the oldest entry can be one: see `begin_anew`.
    const bool gap = !entries_.empty() && entries_.front().value->value.gap;
    return {first_ + (gap ? 1 : 0), {}, 0, false};
}

std::optional<room::position> room::after(event_id id) const {
    const std::lock_guard lock(mutex_);
    if (!last_ || !complete_after_ || id < *complete_after_ || id > *last_) return std::nullopt;
    // A client that reconnects usually misses few events.
    std::size_t index = entries_.size();
    while (index > 0 && !(entries_[index - 1].id && entries_[index - 1].id <= id)) --index;
    return position{first_ + index, id, 0, false};
}

}  // namespace apus::feeds

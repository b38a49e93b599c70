// SPDX-License-Identifier: Apache-2.0
#include "runtime/broadcast_parts.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace apus::detail {

void subscriber::enter(subscriber*& list) noexcept {
    next = list;
    at = &list;
    if (next) next->at = &next;
    list = this;
}

void subscriber::leave() noexcept {
    if (!at) return;
    *at = next;
    if (next) next->at = at;
    at = nullptr;
}

broadcast_branch::broadcast_branch(broadcast_parts& of, runtime::loop& loop) noexcept
    : posted_call{nullptr, arrived}, parts_(of), owner_(loop) {
    of.keep();
}
broadcast_branch::~broadcast_branch() { broadcast_parts::release(parts_); }

void broadcast_branch::wake() noexcept {
    if (wanted && !posted_) post();
}

void broadcast_branch::post() noexcept {
    wanted = false;
    posted_ = true;
    ++users;
    owner_.post(*this);
}

// The lock must be held. A subscriber that began to wait after the call was posted may have no new value, and continues
// to wait.
void broadcast_branch::collect() noexcept {
    for (subscriber* s = waiting_; s;) {
        subscriber& one = *std::exchange(s, s->next);
        if (!parts_.has_unread(one)) continue;
        one.leave();
        one.enter(due_);
    }
    wanted = waiting_ != nullptr;
}

// Resumes a limited number of subscribers per turn (docs/decisions/0026). A resumed subscriber may unsubscribe; the
// posted call counts as a user and keeps the branch alive.
void broadcast_branch::resume_some() noexcept {
    const bool goes_on = due_ != nullptr;
    {
        std::lock_guard lock(parts_.mutex);
        posted_ = false;
        if (!goes_on) collect();
    }
    for (unsigned left = 256; left != 0 && due_; --left) {
        subscriber& s = *due_;
        s.leave();
        s.waiter.resume();
    }
    broadcast_branch* empty = nullptr;
    {
        std::lock_guard lock(parts_.mutex);
        if ((due_ || goes_on) && !posted_) post();
        empty = parts_.release(*this);
    }
    delete empty;
}

broadcast_parts::broadcast_parts(const broadcast_options& options)
    : holds_up_(options.slow == slow_subscriber::holds_up), slots_(options.capacity) {
    if (options.capacity == 0) throw std::invalid_argument("broadcast: the capacity must be at least 1");
}

broadcast_parts::~broadcast_parts() {
    for (auto& s : slots_)
        if (s.item) s.item->let_go();
}

void broadcast_parts::release(broadcast_parts& p) noexcept {
    if (p.users_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete &p;
}

void broadcast_parts::release_items(broadcast_item* freed) noexcept {
    while (freed) {
        auto* one = std::exchange(freed, freed->freed);
        one->let_go();
    }
}

void broadcast_parts::discard(slot& s, broadcast_item*& freed) noexcept {
    auto* item = std::exchange(s.item, nullptr);
    if (!item) return;
    item->freed = freed;
    freed = item;
}

void broadcast_parts::put(broadcast_item* item, broadcast_item*& freed) noexcept {
    slot& s = at(next_++);
    discard(s, freed);
    s = {item, holds_up_ ? subscribers : 0};
    if (next_ - oldest_ > slots_.size()) ++oldest_;
    if (holds_up_ && subscribers == 0) discard(s, freed), skip_read();
    for (auto* b = branches_; b; b = b->next) b->wake();
}

void broadcast_parts::skip_read() noexcept {
    while (oldest_ != next_ && at(oldest_).unread == 0) ++oldest_;
}

void broadcast_parts::mark_read(slot& s, broadcast_item*& freed) noexcept {
    if (--s.unread != 0) return;
    discard(s, freed);
    skip_read();
    admit(freed);
}

void broadcast_parts::admit(broadcast_item*& freed) noexcept {
    while (!senders.empty() && !full()) {
        auto& t = senders.pop();
        put(static_cast<broadcast_item*>(std::exchange(t.item, nullptr)), freed);
        t.post(true);
    }
}

broadcast_item* broadcast_parts::take(subscriber& s, broadcast_item*& freed) noexcept {
    if (s.position < oldest_) {
        s.dropped += oldest_ - s.position;
        s.position = oldest_;
    }
    if (s.position == next_) return nullptr;
    slot& from = at(s.position++);
    auto* item = from.item;
    item->keep();
    if (holds_up_) mark_read(from, freed);
    return item;
}

void broadcast_parts::add(subscriber& s, bool from_latest, broadcast_branch& spare) noexcept {
    ++subscribers;
    s.position = next_;
    if (from_latest && next_ != oldest_ && at(next_ - 1).item) {
        --s.position;
        ++at(s.position).unread;
    }
    auto* b = branches_;
    while (b && !b->is_of(runtime::loop::current())) b = b->next;
    if (!b) {
        b = &spare;
        b->next = std::exchange(branches_, b);
    }
    ++b->users;
    s.branch = b;
}

broadcast_branch* broadcast_parts::remove(subscriber& s, broadcast_item*& freed) noexcept {
    --subscribers;
    const auto end = next_;
    if (holds_up_)
        while (s.position != end) mark_read(at(s.position++), freed);
    return release(*s.branch);
}

broadcast_branch* broadcast_parts::release(broadcast_branch& b) noexcept {
    if (--b.users != 0) return nullptr;
    auto** at = &branches_;
    while (*at != &b) at = &(*at)->next;
    *at = b.next;
    return &b;
}

void broadcast_parts::close() noexcept {
    closed = true;
    while (!senders.empty()) senders.pop().post(false);
    for (auto* b = branches_; b; b = b->next) b->wake();
}

}  // namespace apus::detail

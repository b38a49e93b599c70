// SPDX-License-Identifier: Apache-2.0
#include "runtime/mailbox.hpp"

#include "base/thread_order.hpp"

#include <cassert>

namespace apus::runtime {
namespace {

posted_call mark_of_sleep;  // only its address is used

// Reverses the list of posted calls, which begins with the newest call, and counts them.
posted_call* oldest_first(posted_call* l, std::size_t& count) noexcept {
    posted_call* turned = nullptr;
    for (; l; ++count) {
        posted_call* older = l->next;
        l->next = turned;
        turned = l;
        l = older;
    }
    return turned;
}

}  // namespace

mailbox::~mailbox() {
    [[maybe_unused]] auto* left = newest_.load(std::memory_order_relaxed);
    assert((!left || left == &mark_of_sleep) && "a mailbox was destroyed with posted calls");
}

// On success, release order publishes the call and earlier writes of the sender to the `drain` that takes the call. The
// old value is not dereferenced, so relaxed order suffices to load it.
bool mailbox::post(posted_call& l) noexcept {
    posted_call* before = newest_.load(std::memory_order_relaxed);
    base::mark_release(this);
    do {
        l.next = before == &mark_of_sleep ? nullptr : before;
    } while (!newest_.compare_exchange_weak(before, &l, std::memory_order_release, std::memory_order_relaxed));
    return before == &mark_of_sleep;
}

// The acquire operation synchronizes with the release operations of all calls taken, not only of the newest: each later
// post is a read-modify-write operation, which continues the release sequences of earlier posts.
std::size_t mailbox::drain() noexcept {
    if (!newest_.load(std::memory_order_relaxed)) return 0;
    posted_call* taken = newest_.exchange(nullptr, std::memory_order_acquire);
    base::mark_acquire(this);
    if (taken == &mark_of_sleep) return 0;
    std::size_t opened = 0, left = 0;
    for (posted_call* l = oldest_first(taken, left); l; ++opened) {
        posted_call* following = l->next;
        waiting_.set(--left);
        l->run(*l);
        l = following;
    }
    return opened;
}

// Relaxed order suffices. The modification order of this word decides whether a sender sees the mark or the owner sees
// the posted call. On success, the owner does not read data that senders have written.
bool mailbox::sleep() noexcept {
    posted_call* none = nullptr;
    return newest_.compare_exchange_strong(none, &mark_of_sleep, std::memory_order_relaxed) || none == &mark_of_sleep;
}

}  // namespace apus::runtime

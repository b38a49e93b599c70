// SPDX-License-Identifier: Apache-2.0
#include "runtime/mailbox.hpp"

#include "base/thread_order.hpp"

#include <cassert>

namespace apus::runtime {
namespace {

posted_call mark_of_sleep;  // only its address is used

// Reverses the list of posted calls, which is newest first.
posted_call* oldest_first(posted_call* l) noexcept {
    posted_call* turned = nullptr;
    while (l) {
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
    assert((!left || left == &mark_of_sleep) && "posted calls in a mailbox that ends");
}

// Release on success publishes the call, and earlier writes of the sender, to the drain that takes it. The old value
// is not dereferenced, so loading it needs no order.
bool mailbox::post(posted_call& l) noexcept {
    posted_call* before = newest_.load(std::memory_order_relaxed);
    base::mark_release(this);
    do {
        l.next = before == &mark_of_sleep ? nullptr : before;
    } while (!newest_.compare_exchange_weak(before, &l, std::memory_order_release, std::memory_order_relaxed));
    return before == &mark_of_sleep;
}

// Acquire pairs with the release of every call taken, not only of the newest: each later post is a read-modify-write
// and so continues the release sequence of earlier ones.
std::size_t mailbox::drain() noexcept {
    if (!newest_.load(std::memory_order_relaxed)) return 0;
    posted_call* taken = newest_.exchange(nullptr, std::memory_order_acquire);
    base::mark_acquire(this);
    if (taken == &mark_of_sleep) return 0;
    std::size_t opened = 0;
    for (posted_call* l = oldest_first(taken); l; ++opened) {
        posted_call* following = l->next;
        l->run(*l);
        l = following;
    }
    return opened;
}

// Relaxed is enough: whether a sender sees the mark or the owner sees the posted call is decided by the
// order of changes to this one word, and on success the owner reads nothing that senders wrote.
bool mailbox::sleep() noexcept {
    posted_call* none = nullptr;
    return newest_.compare_exchange_strong(none, &mark_of_sleep, std::memory_order_relaxed) || none == &mark_of_sleep;
}

}  // namespace apus::runtime

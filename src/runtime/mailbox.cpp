// SPDX-License-Identifier: Apache-2.0
#include "runtime/mailbox.hpp"

#include "base/thread_order.hpp"

#include <cassert>

namespace apus::runtime {
namespace {

letter mark_of_sleep;  // only its address is used

// Reverses the list of letters, which is newest first.
letter* oldest_first(letter* l) noexcept {
    letter* turned = nullptr;
    while (l) {
        letter* older = l->next;
        l->next = turned;
        turned = l;
        l = older;
    }
    return turned;
}

}  // namespace

mailbox::~mailbox() {
    [[maybe_unused]] auto* left = newest_.load(std::memory_order_relaxed);
    assert((!left || left == &mark_of_sleep) && "letters in a mailbox that ends");
}

// Release on success publishes the letter, and earlier writes of the sender, to the drain that takes it. The old value
// is not dereferenced, so loading it needs no order.
bool mailbox::post(letter& l) noexcept {
    letter* before = newest_.load(std::memory_order_relaxed);
    base::tell_sanitizer_of_release(this);
    do {
        l.next = before == &mark_of_sleep ? nullptr : before;
    } while (!newest_.compare_exchange_weak(before, &l, std::memory_order_release, std::memory_order_relaxed));
    return before == &mark_of_sleep;
}

// Acquire pairs with the release of every letter taken, not only of the newest: each later post is a read-modify-write
// and so continues the release sequence of earlier ones.
std::size_t mailbox::drain() noexcept {
    if (!newest_.load(std::memory_order_relaxed)) return 0;
    letter* taken = newest_.exchange(nullptr, std::memory_order_acquire);
    base::tell_sanitizer_of_acquire(this);
    if (taken == &mark_of_sleep) return 0;
    std::size_t opened = 0;
    for (letter* l = oldest_first(taken); l; ++opened) {
        letter* following = l->next;
        l->open(*l);
        l = following;
    }
    return opened;
}

// Relaxed is enough: whether a sender sees the mark or the owner sees the letter is decided by the
// order of changes to this one word, and on success the owner reads nothing that senders wrote.
bool mailbox::sleep() noexcept {
    letter* none = nullptr;
    return newest_.compare_exchange_strong(none, &mark_of_sleep, std::memory_order_relaxed) || none == &mark_of_sleep;
}

}  // namespace apus::runtime

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/channel_waiter.hpp"

#include <apus/broadcast.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace apus::detail {

class broadcast_branch;

/// A subscription and its position in the sequence of values. Used only on its core.
struct subscriber {
    explicit subscriber(broadcast_parts& of) noexcept : parts(of) {}
    subscriber(const subscriber&) = delete;
    subscriber& operator=(const subscriber&) = delete;

    static void* operator new(std::size_t size) { return frame_allocate(size); }
    static void operator delete(void* self, std::size_t size) noexcept { frame_free(self, size); }

    void enter(subscriber*& list) noexcept;
    void leave() noexcept;

    broadcast_parts& parts;
    broadcast_branch* branch = nullptr;
    std::uint64_t position = 0;  // number of the next value to receive
    std::uint64_t dropped = 0;
    std::coroutine_handle<> waiter;
    subscriber* next = nullptr;
    subscriber** at = nullptr;  // the list pointer that refers to this; null: not in a list
};

/// The subscribers on one core. One posted call resumes all waiting subscribers.
class broadcast_branch : runtime::posted_call {
public:
    broadcast_branch(broadcast_parts& of, runtime::loop& loop) noexcept;
    broadcast_branch(const broadcast_branch&) = delete;
    broadcast_branch& operator=(const broadcast_branch&) = delete;
    ~broadcast_branch();

    bool is_of(const runtime::loop& loop) const noexcept { return &owner_ == &loop; }
    void wait(subscriber& s) noexcept { s.enter(waiting_); }
    void wake() noexcept;  // the lock must be held

    broadcast_branch* next = nullptr;
    std::size_t users = 0;  // subscribers, plus one while the call is posted; guarded by the lock
    bool wanted = false;    // a subscriber waits; guarded by the lock

private:
    static void arrived(posted_call& l) noexcept { static_cast<broadcast_branch&>(l).resume_some(); }
    void resume_some() noexcept;
    void post() noexcept;
    void collect() noexcept;

    broadcast_parts& parts_;
    runtime::loop& owner_;
    bool posted_ = false;
    subscriber* waiting_ = nullptr;
    subscriber* due_ = nullptr;  // subscribers that the posted call resumes
};

/// State of a broadcast: a ring of the last values. Value number `n` is in `slots[n % capacity]`.
class broadcast_parts {
public:
    explicit broadcast_parts(const broadcast_options&);
    broadcast_parts(const broadcast_parts&) = delete;
    broadcast_parts& operator=(const broadcast_parts&) = delete;
    ~broadcast_parts();

    // The lock must be held. Items that are no longer needed are added to the list `freed`, which the caller releases
    // after unlocking.
    bool full() const noexcept { return holds_up_ && next_ - oldest_ == slots_.size(); }
    void put(broadcast_item* item, broadcast_item*& freed) noexcept;
    broadcast_item* take(subscriber&, broadcast_item*& freed) noexcept;
    void add(subscriber&, bool from_latest, broadcast_branch& spare) noexcept;
    broadcast_branch* remove(subscriber&, broadcast_item*& freed) noexcept;
    broadcast_branch* release(broadcast_branch&) noexcept;  // returns a branch to delete after unlocking, or null
    bool has_unread(const subscriber& s) const noexcept { return closed || s.position != next_; }
    void close() noexcept;

    static void release_items(broadcast_item* freed) noexcept;  // releases all items of the list
    void keep() noexcept { users_.fetch_add(1, std::memory_order_relaxed); }
    static void release(broadcast_parts&) noexcept;

    std::mutex mutex;
    bool closed = false;
    std::size_t subscribers = 0;
    runtime::waiter_list senders;

private:
    struct slot {
        broadcast_item* item = nullptr;
        std::size_t unread = 0;  // subscribers that have not received the item; used with `holds_up`
    };
    slot& at(std::uint64_t n) noexcept { return slots_[n % slots_.size()]; }
    static void discard(slot&, broadcast_item*& freed) noexcept;
    void skip_read() noexcept;
    void mark_read(slot&, broadcast_item*& freed) noexcept;
    void admit(broadcast_item*& freed) noexcept;

    std::atomic<std::size_t> users_ = 1;
    const bool holds_up_;
    std::vector<slot> slots_;
    std::uint64_t oldest_ = 0, next_ = 0;
    broadcast_branch* branches_ = nullptr;
};

}  // namespace apus::detail

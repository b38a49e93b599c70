// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"

#include <apus/task.hpp>

#include <coroutine>
#include <utility>

namespace apus::runtime {

/// A task that waits for an action of another thread, such as filling a queue.
/// A posted call to the task's core resumes the task. Until that call runs, the lock of the awaited object guards all
/// members except `abandoned`. The core creates and deletes the waiter. The waiter is posted once, while the lock is
/// held: as long as the lock is held, the waiting task cannot be cancelled, so the loop of its core still exists.
struct channel_waiter : posted_call {
    explicit channel_waiter(std::coroutine_handle<> task) noexcept : posted_call{nullptr, arrived}, waiter(task) {}

    void post(bool how) noexcept {
        posted = true;
        ok = how;
        owner.post(*this);
    }

    static void* operator new(std::size_t size) { return detail::frame_allocate(size); }
    static void operator delete(void* self, std::size_t size) noexcept { detail::frame_free(self, size); }

    loop& owner = loop::current();
    const std::coroutine_handle<> waiter;
    channel_waiter* after = nullptr;
    channel_waiter* before = nullptr;
    void* item = nullptr;  // the item to send, or the received item
    bool posted = false;
    bool ok = false;
    bool abandoned = false;  // the task was cancelled after `post`; used only on its core

private:
    static void arrived(posted_call& l) noexcept {
        auto* self = static_cast<channel_waiter*>(&l);
        if (self->abandoned) delete self;
        else self->waiter.resume();  // the task deletes the waiter
    }
};

/// FIFO queue of waiters.
class waiter_list {
public:
    bool empty() const noexcept { return !first_; }
    void push(channel_waiter& t) noexcept {
        t.before = last_;
        (last_ ? last_->after : first_) = &t;
        last_ = &t;
    }
    channel_waiter& pop() noexcept {
        auto& t = *first_;
        remove(t);
        return t;
    }
    void remove(channel_waiter& t) noexcept {
        (t.before ? t.before->after : first_) = t.after;
        (t.after ? t.after->before : last_) = t.before;
        t.before = t.after = nullptr;
    }

private:
    channel_waiter* first_ = nullptr;
    channel_waiter* last_ = nullptr;
};

/// Returns true if a task that need not wait should yield nevertheless.
/// Otherwise two tasks that resume each other could block a core forever.
inline bool should_yield() noexcept {
    constexpr unsigned most = 128;
    static thread_local unsigned streak = 0;
    return ++streak % most == 0;
}

}  // namespace apus::runtime

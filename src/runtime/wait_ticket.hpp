// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"

#include <apus/task.hpp>

#include <coroutine>
#include <utility>

namespace apus::runtime {

/// A task that waits for an action of another thread, such as filling a queue.
/// A letter to its core resumes the task. Until the letter is opened, the lock of the awaited object guards all members
/// except `abandoned`. Created and deleted on its core. Posted once, with that lock held: the waiting task cannot be
/// cancelled meanwhile, and keeps its core's loop alive.
struct wait_ticket : letter {
    explicit wait_ticket(std::coroutine_handle<> task) noexcept : letter{nullptr, arrived}, waiter(task) {}

    void post(bool how) noexcept {
        posted = true;
        ok = how;
        home.post(*this);
    }

    static void* operator new(std::size_t size) { return detail::frame_allocate(size); }
    static void operator delete(void* self, std::size_t size) noexcept { detail::frame_free(self, size); }

    loop& home = loop::current();
    const std::coroutine_handle<> waiter;
    wait_ticket* after = nullptr;
    wait_ticket* before = nullptr;
    void* item = nullptr;  // the item sent or received
    bool posted = false;
    bool ok = false;
    bool abandoned = false;  // the task was cancelled after the ticket was posted; used only on its core

private:
    static void arrived(letter& l) noexcept {
        auto* self = static_cast<wait_ticket*>(&l);
        if (self->abandoned) delete self;
        else self->waiter.resume();  // the task deletes the ticket
    }
};

/// Queue of tickets, first in, first out.
class ticket_list {
public:
    bool empty() const noexcept { return !first_; }
    void push(wait_ticket& t) noexcept {
        t.before = last_;
        (last_ ? last_->after : first_) = &t;
        last_ = &t;
    }
    wait_ticket& pop() noexcept {
        auto& t = *first_;
        remove(t);
        return t;
    }
    void remove(wait_ticket& t) noexcept {
        (t.before ? t.before->after : first_) = t.after;
        (t.after ? t.after->before : last_) = t.before;
        t.before = t.after = nullptr;
    }

private:
    wait_ticket* first_ = nullptr;
    wait_ticket* last_ = nullptr;
};

/// Returns true if a task that need not wait should yield.
/// Otherwise two tasks that resume each other could block a core.
inline bool turn_is_due() noexcept {
    constexpr unsigned most = 128;
    static thread_local unsigned streak = 0;
    return ++streak % most == 0;
}

}  // namespace apus::runtime

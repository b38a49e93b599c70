// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"

#include <apus/task.hpp>

#include <coroutine>
#include <utility>

namespace apus::runtime {

/// A task that waits for something which any thread may do, such as to fill a queue. It goes on by a letter
/// to its core. All members but `abandoned` are guarded by the lock of what it waits at, until the
/// letter is opened.
///
/// Made and deleted on its core. Posted once, with that lock held: a task that waits keeps its core's loop,
/// and cannot be cancelled meanwhile.
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
    void* item = nullptr;  // what is handed over, in either direction
    bool posted = false;
    bool ok = false;
    bool abandoned = false;  // the task was cancelled after the ticket was posted; of its core

private:
    static void arrived(letter& l) noexcept {
        auto* self = static_cast<wait_ticket*>(&l);
        if (self->abandoned) delete self;
        else self->waiter.resume();  // which deletes the ticket
    }
};

/// Tickets in the order in which they came.
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

/// Whether a task that finds what it asks for is to let others have a turn first. So two tasks that feed each other
/// hold up no core.
inline bool turn_is_due() noexcept {
    constexpr unsigned most = 128;
    static thread_local unsigned streak = 0;
    return ++streak % most == 0;
}

}  // namespace apus::runtime

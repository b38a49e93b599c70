// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"

#include <coroutine>
#include <utility>

namespace apus::runtime {

/// Base of awaitables with a deadline: resumes the waiting task once, and has a timer.
/// Lives in the coroutine frame of the task. `co_await` calls `await_suspend` of the derived class, which calls
/// `begin_wait`. Belongs to one core.
class timed_wait : public timer {
public:
    timed_wait(const timed_wait&) = delete;
    timed_wait& operator=(const timed_wait&) = delete;

    bool await_ready() const noexcept { return false; }
    void await_resume() const noexcept {}
    bool finished() const noexcept { return finished_; }

protected:
    timed_wait(loop& on, void (*fire)(timer&) noexcept) noexcept : timer(fire), loop_(on) {
        resume_.of = this;
        resume_.run = [](deferred& d) noexcept { std::exchange(static_cast<resumption&>(d).of->waiter_, {}).resume(); };
    }
    ~timed_wait() {
        loop_.timers().remove(*this);
        loop_.forget(resume_);
    }

    loop& on() const noexcept { return loop_; }
    bool begun() const noexcept { return waiter_ != nullptr; }
    void begin_wait(std::coroutine_handle<> waiter) noexcept { waiter_ = waiter; }

    /// Resumes the task after the core has handled the current event.
    /// Returns false if the wait has already ended.
    bool end_wait() noexcept {
        if (std::exchange(finished_, true)) return false;
        loop_.timers().remove(*this);
        loop_.later(resume_);
        return true;
    }

private:
    struct resumption : deferred {
        timed_wait* of;
    } resume_;
    loop& loop_;
    std::coroutine_handle<> waiter_;
    bool finished_ = false;
};

}  // namespace apus::runtime

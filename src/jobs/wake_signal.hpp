// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"

#include <coroutine>
#include <cstdint>
#include <utility>

namespace apus::jobs {

/// Wakes one waiting coroutine of this core. A signal without a waiter is kept for the next waiter.
class wake_signal {
public:
    wake_signal() noexcept = default;
    wake_signal(const wake_signal&) = delete;
    wake_signal& operator=(const wake_signal&) = delete;

    void set() noexcept {
        is_set_ = true;
        if (waiter_) waiter_->wake();
    }

    /// Awaitable: waits for the signal. Returns false at `until`, in milliseconds of the loop's clock.
    class [[nodiscard]] waiting {
    public:
        waiting(wake_signal& of, std::uint64_t until) noexcept : of_(of), until_(until) {
            timer_.of = resume_.of = this;
            timer_.fire = [](runtime::timer& t) noexcept { static_cast<timeout&>(t).of->end(); };
            resume_.run = [](runtime::deferred& d) noexcept { static_cast<resumption&>(d).of->end(); };
        }
        waiting(const waiting&) = delete;
        waiting& operator=(const waiting&) = delete;
        ~waiting() { leave(); }

        bool await_ready() const noexcept { return of_.is_set_; }
        void await_suspend(std::coroutine_handle<> self) noexcept {
            self_ = self;
            of_.waiter_ = this;
            if (until_ != UINT64_MAX) runtime::loop::current().timers().add(timer_, until_);
        }
        bool await_resume() noexcept { return std::exchange(of_.is_set_, false); }

    private:
        friend class wake_signal;
        struct timeout : runtime::timer {
            waiting* of = nullptr;
        };
        struct resumption : runtime::deferred {
            waiting* of = nullptr;
        };

        void wake() noexcept { runtime::loop::current().later(resume_); }
        void leave() noexcept {
            if (!self_) return;
            self_ = {};
            of_.waiter_ = nullptr;
            runtime::loop::current().timers().remove(timer_);
            runtime::loop::current().forget(resume_);
        }
        void end() noexcept {
            const auto self = self_;
            leave();
            self.resume();
        }

        wake_signal& of_;
        std::uint64_t until_;
        std::coroutine_handle<> self_;
        timeout timer_;
        resumption resume_;
    };

    waiting wait(std::uint64_t until = UINT64_MAX) noexcept { return {*this, until}; }

private:
    bool is_set_ = false;
    waiting* waiter_ = nullptr;
};

}  // namespace apus::jobs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"

#include <apus/task.hpp>

#include <coroutine>
#include <cstdint>
#include <optional>

namespace apus::outbound {

/// `co_await with_deadline(t, due)` returns the result of the task `t`, or `std::nullopt` at `due`.
/// At `due`, and if the waiting task is cancelled, `t` is cancelled. `due` is in milliseconds of the loop's clock.
template <class T>
class [[nodiscard]] with_deadline {
public:
    using awaits_task = void;

    with_deadline(task<T> t, std::uint64_t due) noexcept : inner_(t.release()), due_(due) {
        end_.of = deadline_.of = resume_.of = this;
        end_.run = [](detail::completion* c) noexcept { static_cast<ending*>(c)->of->note(); };
        deadline_.fire = [](runtime::timer& at) noexcept { static_cast<deadline*>(&at)->of->time_out(); };
        resume_.run = [](runtime::deferred& d) noexcept { static_cast<deferred_resume*>(&d)->of->waiter_.resume(); };
    }
    with_deadline(const with_deadline&) = delete;
    with_deadline& operator=(const with_deadline&) = delete;
    ~with_deadline() {
        if (started_) {
            runtime::loop::current().timers().remove(deadline_);
            runtime::loop::current().forget(resume_);
        }
        if (inner_) inner_.destroy();
    }

    bool await_ready() const noexcept { return false; }
    template <class P>
    bool await_suspend(std::coroutine_handle<P> waiter) {
        waiter_ = waiter;
        inner_.promise().done = &end_;
        inner_.promise().caller = &waiter.promise();
        inner_.promise().request = waiter.promise().request;
        detail::enter_request(waiter.promise().request);
        inner_.resume();
        if (ended_) return false;
        started_ = true;
        runtime::loop::current().timers().add(deadline_, due_);
        return true;
    }
    std::optional<result<T>> await_resume() {
        if (!ended_) return std::nullopt;
        return *std::move(inner_.promise().outcome);
    }

private:
    struct ending : detail::completion {
        with_deadline* of;
    };
    struct deadline : runtime::timer {
        with_deadline* of;
    };
    struct deferred_resume : runtime::deferred {
        with_deadline* of;
    };

    // The ended task still executes in its frame, which the waiting task may destroy. So the waiting task resumes
    // later.
    void note() noexcept {
        ended_ = true;
        if (!started_) return;
        runtime::loop::current().timers().remove(deadline_);
        runtime::loop::current().later(resume_);
    }
    void time_out() noexcept {
        std::exchange(inner_, {}).destroy();
        waiter_.resume();
    }

    typename task<T>::handle inner_;
    std::uint64_t due_;
    std::coroutine_handle<> waiter_;
    ending end_;
    deadline deadline_;
    deferred_resume resume_;
    bool started_ = false, ended_ = false;
};

}  // namespace apus::outbound

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"

#include <apus/task.hpp>

#include <coroutine>
#include <cstdint>
#include <optional>

namespace apus::outbound {

/// `co_await within(t, due)` returns the result of `t`; if `t` is not done at `due`, cancels it and
/// returns nothing. `due` is in milliseconds of the loop's clock. If the waiting task is cancelled, `t` is cancelled
/// too.
template <class T>
class [[nodiscard]] within {
public:
    within(task<T> t, std::uint64_t due) noexcept : inner_(t.release()), due_(due) {
        end_.of = late_.of = attend_.of = this;
        end_.run = [](detail::completion* c) noexcept { static_cast<ending*>(c)->of->note(); };
        late_.fire = [](runtime::timer& at) noexcept { static_cast<deadline*>(&at)->of->give_up(); };
        attend_.run = [](runtime::deferred& d) noexcept { static_cast<attending*>(&d)->of->waiter_.resume(); };
    }
    within(const within&) = delete;
    within& operator=(const within&) = delete;
    ~within() {
        if (started_) {
            runtime::loop::current().timers().remove(late_);
            runtime::loop::current().forget(attend_);
        }
        if (inner_) inner_.destroy();
    }

    bool await_ready() const noexcept { return false; }
    template <class P>
    bool await_suspend(std::coroutine_handle<P> waiter) {
        waiter_ = waiter;
        inner_.promise().done = &end_;
        inner_.promise().request = waiter.promise().request;
        detail::enter_request(waiter.promise().request);
        inner_.resume();
        if (ended_) return false;
        started_ = true;
        runtime::loop::current().timers().add(late_, due_);
        return true;
    }
    std::optional<result<T>> await_resume() {
        if (!ended_) return std::nullopt;
        return *std::move(inner_.promise().outcome);
    }

private:
    struct ending : detail::completion {
        within* of;
    };
    struct deadline : runtime::timer {
        within* of;
    };
    struct attending : runtime::deferred {
        within* of;
    };

    // The frame of the ended task is still in use here, so the waiting task resumes after the current event.
    void note() noexcept {
        ended_ = true;
        if (!started_) return;
        runtime::loop::current().timers().remove(late_);
        runtime::loop::current().later(attend_);
    }
    void give_up() noexcept {
        std::exchange(inner_, {}).destroy();
        waiter_.resume();
    }

    typename task<T>::handle inner_;
    std::uint64_t due_;
    std::coroutine_handle<> waiter_;
    ending end_;
    deadline late_;
    attending attend_;
    bool started_ = false, ended_ = false;
};

}  // namespace apus::outbound

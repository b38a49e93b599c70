// SPDX-License-Identifier: Apache-2.0
#include "runtime/loop.hpp"
#include "runtime/timer_wheel.hpp"

#include <apus/sleep.hpp>

#include <new>

namespace apus {

struct sleep_for::waiting : runtime::timer {
    std::coroutine_handle<> sleeper;

    explicit waiting(std::coroutine_handle<> who) noexcept
        : timer([](timer& t) noexcept { static_cast<waiting&>(t).sleeper.resume(); }), sleeper(who) {}
};

void sleep_for::await_suspend(std::coroutine_handle<> sleeper) noexcept {
    static_assert(sizeof(waiting) <= sizeof room_ && alignof(waiting) <= alignof(void*));
    auto& loop = runtime::loop::current();
    // A duration of 0 also sets a timer, which fires after pending events. So a task that sleeps for 0 in a loop does
    // not block other tasks.
    const std::uint64_t due = time_ > duration() ? loop.io().clock().due_after(time_.nanoseconds()) : loop.now();
    began_ = true;
    loop.timers().add(*::new (room_) waiting(sleeper), due);
}

void sleep_for::stop() noexcept {
    runtime::loop::current().timers().remove(*std::launder(reinterpret_cast<waiting*>(room_)));
}

}  // namespace apus

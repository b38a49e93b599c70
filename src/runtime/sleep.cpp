// SPDX-License-Identifier: Apache-2.0
#include "runtime/loop.hpp"
#include "runtime/timer_wheel.hpp"

#include <apus/sleep.hpp>

#include <new>

namespace apus {

struct sleep::waiting : runtime::timer {
    std::coroutine_handle<> sleeper;

    explicit waiting(std::coroutine_handle<> who) noexcept
        : timer([](timer& t) noexcept { static_cast<waiting&>(t).sleeper.resume(); }), sleeper(who) {}
};

void sleep::await_suspend(std::coroutine_handle<> sleeper) noexcept {
    static_assert(sizeof(waiting) <= sizeof room_ && alignof(waiting) <= alignof(void*));
    auto& loop = runtime::loop::current();
    // One more than the time rounded up: the present millisecond has partly gone by.
    const std::int64_t rounded_up = (time_.nanoseconds() - 1) / 1'000'000 + 1;
    began_ = true;
    loop.timers().add(*::new (room_) waiting(sleeper), loop.now() + static_cast<std::uint64_t>(rounded_up) + 1);
}

void sleep::stop() noexcept {
    runtime::loop::current().timers().remove(*std::launder(reinterpret_cast<waiting*>(room_)));
}

}  // namespace apus

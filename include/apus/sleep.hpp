// SPDX-License-Identifier: Apache-2.0
#pragma once

// Waiting for time to pass, in a coroutine. Work that blocks its thread is in blocking.hpp.

#include <apus/duration.hpp>

#include <coroutine>

namespace apus {

/// `co_await apus::sleep(apus::milliseconds(5))` goes on after at least this long, by the clock
/// that the core reads once for each round of events; usually within 2 ms more. Other requests run
/// meanwhile. 0 or less does not wait. Cancelling the task that sleeps ends the wait.
class [[nodiscard]] sleep {
public:
    explicit sleep(duration time) noexcept : time_(time) {}
    sleep(const sleep&) = delete;
    sleep& operator=(const sleep&) = delete;
    ~sleep() {
        if (began_) stop();
    }

    bool await_ready() const noexcept { return time_ <= duration(); }
    void await_suspend(std::coroutine_handle<> sleeper) noexcept;
    void await_resume() const noexcept {}

private:
    struct waiting;
    void stop() noexcept;

    duration time_;
    bool began_ = false;
    alignas(void*) unsigned char room_[5 * sizeof(void*)];  // a timer of the core, and who sleeps
};

}  // namespace apus

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sleeping and yielding in coroutines. For code that blocks its thread, see blocking.hpp.

#include <apus/duration.hpp>

#include <coroutine>

namespace apus {

/// `co_await apus::sleep_for(apus::milliseconds(5))` resumes after at least this time.
/// It usually resumes within 1 ms after the time, if no handler blocks the core. Other requests run meanwhile, even if
/// the time is 0 or less. Cancelling the sleeping task ends the wait.
class [[nodiscard]] sleep_for {
public:
    explicit sleep_for(duration time) noexcept : time_(time) {}
    sleep_for(const sleep_for&) = delete;
    sleep_for& operator=(const sleep_for&) = delete;
    ~sleep_for() {
        if (began_) stop();
    }

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> sleeper) noexcept;
    void await_resume() const noexcept {}

private:
    struct waiting;
    void stop() noexcept;

    duration time_;
    bool began_ = false;
    alignas(void*) unsigned char room_[5 * sizeof(void*)];  // an object of type `waiting`
};

/// `co_await apus::yield()` lets the core serve other connections, timers and cancellation first.
/// The task continues in the next event loop iteration. In long computations, call it about once per millisecond.
class [[nodiscard]] yield {
public:
    yield() noexcept = default;
    yield(const yield&) = delete;
    yield& operator=(const yield&) = delete;
    ~yield();

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiter);
    void await_resume() noexcept { letter_ = nullptr; }

private:
    struct note;
    note* letter_ = nullptr;  // in the core's mailbox, whose entries cannot be removed
};

}  // namespace apus

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Waiting for time to pass and giving way, in a coroutine. Work that blocks its thread is in blocking.hpp.

#include <apus/duration.hpp>

#include <coroutine>

namespace apus {

/// `co_await apus::sleep(apus::milliseconds(5))` goes on after at least this long, by the clock
/// that the core reads once for each round of events; usually within 2 ms more. Other requests run
/// meanwhile, also if the time is 0 or less. Cancelling the task that sleeps ends the wait.
class [[nodiscard]] sleep {
public:
    explicit sleep(duration time) noexcept : time_(time) {}
    sleep(const sleep&) = delete;
    sleep& operator=(const sleep&) = delete;
    ~sleep() {
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
    alignas(void*) unsigned char room_[5 * sizeof(void*)];  // a timer of the core, and who sleeps
};

/// `co_await apus::yield()` lets the core serve other connections, timers and cancellation first, and
/// goes on in its next round of events. For long work on the core, every millisecond or so.
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
    note* letter_ = nullptr;  // in the core's mailbox, which nothing can be taken out of
};

}  // namespace apus

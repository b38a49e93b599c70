// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/bell.hpp"

#include <atomic>
#include <cstdint>

namespace apus::runtime {

/// What a loop's thread does at the moment, in a cache line of its own. Written by that thread, with
/// plain stores; any thread may read `busy_since`, and `request` by an `inspection`.
struct alignas(64) activity {
    /// Start of the loop's turn, in milliseconds of CLOCK_MONOTONIC; 0: it waits for events.
    std::atomic<std::uint64_t> busy_since = 0;
    std::atomic<const void*> request = nullptr;  ///< The exchange whose handler runs now.
    std::atomic<bool> inspected = false;         ///< Another thread reads `request`: it must stay as it is.
    std::atomic<const bell*> alarm = nullptr;    ///< Rung when the loop wakes up.

    /// The loop has events, or did not wait for them.
    void wakes(std::uint64_t now) noexcept {
        busy_since.store(now, std::memory_order_relaxed);
        if (alarm.load(std::memory_order_relaxed)) [[unlikely]]
            ring();
    }
    void sleeps() noexcept { busy_since.store(0, std::memory_order_relaxed); }

    /// `request` may be destroyed, or changed, when this returns.
    void work_for(const void* other) noexcept {
        request.store(other, std::memory_order_release);
        std::atomic_signal_fence(std::memory_order_seq_cst);  // the rest of the fence is the inspector's
        if (inspected.load(std::memory_order_acquire)) [[unlikely]]
            await_inspector();
    }

    static activity* here() noexcept { return of_thread; }  ///< Of this thread's loop; null if it has none.

private:
    friend class loop;
    void ring() noexcept;
    void await_inspector() const noexcept;

    static constinit thread_local activity* of_thread;
};

/// Code for a request runs while this lives.
class working_for {
public:
    explicit working_for(const void* request) noexcept : of_(activity::here()) {
        if (!of_) return;
        before_ = of_->request.load(std::memory_order_relaxed);
        of_->request.store(request, std::memory_order_release);
    }
    working_for(const working_for&) = delete;
    working_for& operator=(const working_for&) = delete;
    ~working_for() {
        if (of_) of_->work_for(before_);
    }

private:
    activity* const of_;
    const void* before_ = nullptr;
};

/// Lets another thread look at the request that a loop works for: it stays as it is while this lives.
/// Short, since the loop waits for the end if it comes so far.
class inspection {
public:
    explicit inspection(activity&) noexcept;
    inspection(const inspection&) = delete;
    inspection& operator=(const inspection&) = delete;
    ~inspection() { of_.inspected.store(false, std::memory_order_release); }

    const void* request() const noexcept { return request_; }  ///< Null: none, or the kernel has no membarrier.

private:
    activity& of_;
    const void* request_ = nullptr;
};

}  // namespace apus::runtime

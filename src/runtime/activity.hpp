// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/event_fd.hpp"
#include "runtime/suspended_tasks.hpp"

#include <atomic>
#include <cstdint>

namespace apus::runtime {

/// The state of a loop's thread, in a separate cache line.
/// The loop's thread writes it with plain stores. Any thread may read `busy_since`, and may read `request` through an
/// `inspection`. Only the loop's thread uses `suspended`.
struct alignas(64) activity {
    /// Start of the current turn, in milliseconds of CLOCK_MONOTONIC.
    /// A turn is an iteration of the loop. 0: the loop waits for events.
    std::atomic<std::uint64_t> busy_since = 0;
    std::atomic<const void*> request = nullptr;    ///< The exchange whose handler is running.
    std::atomic<unsigned> inspectors = 0;          ///< Threads that use the request, which must not be destroyed.
    std::atomic<const event_fd*> alarm = nullptr;  ///< Signalled when the loop wakes up.
    suspended_tasks suspended{};

    /// Records that a turn of the loop begins, whether or not the loop has waited for events.
    void wakes(std::uint64_t now) noexcept {
        busy_since.store(now, std::memory_order_relaxed);
        if (alarm.load(std::memory_order_relaxed)) [[unlikely]]
            signal_alarm();
    }
    /// Returns the time that the current turn has taken, in milliseconds; 0 if the loop waits.
    /// `now`: in milliseconds of CLOCK_MONOTONIC. Called by any thread.
    std::uint64_t busy_time(std::uint64_t now) const noexcept {
        const std::uint64_t since = busy_since.load(std::memory_order_relaxed);
        return since != 0 && now > since ? now - since : 0;
    }
    void sleeps() noexcept { busy_since.store(0, std::memory_order_relaxed); }

    /// Sets the running request. When this function returns, the previous request may be destroyed.
    void work_for(const void* other) noexcept {
        request.store(other, std::memory_order_release);
        // only a compiler barrier: the inspector's membarrier(2) orders the CPUs' memory accesses
        std::atomic_signal_fence(std::memory_order_seq_cst);
        if (inspectors.load(std::memory_order_acquire)) [[unlikely]]
            await_inspector();
    }

    static activity* here() noexcept { return of_thread; }  ///< State of this thread's loop, or null.

private:
    friend class loop;
    void signal_alarm() noexcept;
    void await_inspector() const noexcept;

    static constinit thread_local activity* of_thread;
};

/// Marks code of a request as running during the lifetime of this object.
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

/// Lets another thread access the request that a loop is handling.
/// The request is not destroyed during the inspection. Keep the inspection short: a request that ends meanwhile makes
/// the loop wait until the inspection ends.
class inspection {
public:
    explicit inspection(activity&) noexcept;
    inspection(const inspection&) = delete;
    inspection& operator=(const inspection&) = delete;
    ~inspection() { of_.inspectors.fetch_sub(1, std::memory_order_release); }

    /// Returns the request; null if no request is running, or if the kernel does not support
    /// membarrier(2).
    const void* request() const noexcept { return request_; }

private:
    activity& of_;
    const void* request_ = nullptr;
};

}  // namespace apus::runtime

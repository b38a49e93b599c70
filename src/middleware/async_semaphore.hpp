// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"

#include <coroutine>
#include <utility>

namespace apus::middleware {

/// A fixed number of permits, and a queue of coroutines that wait for one. Used by one core only.
class async_semaphore : runtime::deferred {
public:
    /// The destructor releases the permit.
    class [[nodiscard]] permit {
    public:
        permit() noexcept = default;
        permit(permit&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
        permit& operator=(permit&& other) noexcept {
            std::swap(of_, other.of_);
            return *this;
        }
        ~permit() {
            if (of_) of_->release();
        }
        explicit operator bool() const noexcept { return of_ != nullptr; }

    private:
        friend class async_semaphore;
        explicit permit(async_semaphore& of) noexcept : of_(&of) {}

        async_semaphore* of_ = nullptr;
    };

    /// Waits at most `timeout` milliseconds for a permit. After the timeout, the result is empty.
    class [[nodiscard]] acquire_awaiter : runtime::timer {
    public:
        acquire_awaiter(async_semaphore& of, std::uint64_t timeout) noexcept;
        acquire_awaiter(const acquire_awaiter&) = delete;
        acquire_awaiter& operator=(const acquire_awaiter&) = delete;
        ~acquire_awaiter();

        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> waiter) noexcept;
        permit await_resume() noexcept { return std::move(permit_); }

    private:
        friend class async_semaphore;

        async_semaphore& semaphore_;
        std::uint64_t timeout_;
        std::coroutine_handle<> waiter_;
        permit permit_;
        acquire_awaiter* next_ = nullptr;
        acquire_awaiter* before_ = nullptr;
        bool queued_ = false;
    };

    async_semaphore(unsigned permits, unsigned max_waiting) noexcept;
    async_semaphore(const async_semaphore&) = delete;
    async_semaphore& operator=(const async_semaphore&) = delete;
    ~async_semaphore();

    /// Takes a permit without waiting.
    /// Returns an empty permit if all permits are taken or other tasks wait.
    permit try_acquire() noexcept;

    bool full() const noexcept { return waiting_ >= max_waiting_; }  ///< Whether the queue is full.
    unsigned waiting() const noexcept { return waiting_; }
    unsigned held() const noexcept { return held_; }

private:
    void release() noexcept;
    void grant() noexcept;
    void join(acquire_awaiter&) noexcept;
    void leave(acquire_awaiter&) noexcept;

    unsigned permits_, max_waiting_;
    unsigned held_ = 0, waiting_ = 0;
    acquire_awaiter* first_ = nullptr;
    acquire_awaiter* last_ = nullptr;
};

}  // namespace apus::middleware

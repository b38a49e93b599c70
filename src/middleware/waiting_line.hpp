// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"

#include <coroutine>
#include <utility>

namespace apus::middleware {

/// A fixed number of slots, and a queue of coroutines that wait for one. Used by one core only.
class waiting_line : runtime::deferred {
public:
    /// An occupied slot. The destructor releases it.
    class [[nodiscard]] place {
    public:
        place() noexcept = default;
        place(place&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
        place& operator=(place&& other) noexcept {
            std::swap(of_, other.of_);
            return *this;
        }
        ~place() {
            if (of_) of_->give_back();
        }
        explicit operator bool() const noexcept { return of_ != nullptr; }

    private:
        friend class waiting_line;
        explicit place(waiting_line& of) noexcept : of_(&of) {}

        waiting_line* of_ = nullptr;
    };

    /// Waits for a slot for up to `longest` milliseconds; the result is empty after a timeout.
    class [[nodiscard]] turn : runtime::timer {
    public:
        turn(waiting_line& line, std::uint64_t longest) noexcept;
        turn(const turn&) = delete;
        turn& operator=(const turn&) = delete;
        ~turn();

        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> waiter) noexcept;
        place await_resume() noexcept { return std::move(got_); }

    private:
        friend class waiting_line;

        waiting_line& line_;
        std::uint64_t longest_;
        std::coroutine_handle<> waiter_;
        place got_;
        turn* next_ = nullptr;
        turn* before_ = nullptr;
        bool in_line_ = false;
    };

    waiting_line(unsigned places, unsigned longest) noexcept;
    waiting_line(const waiting_line&) = delete;
    waiting_line& operator=(const waiting_line&) = delete;
    ~waiting_line();

    /// Takes a slot without waiting; returns an empty place if all slots are occupied or other tasks
    /// wait.
    place try_enter() noexcept;

    bool full() const noexcept { return waiting_ >= longest_; }  ///< The queue is full.
    unsigned waiting() const noexcept { return waiting_; }
    unsigned held() const noexcept { return held_; }

private:
    void give_back() noexcept;
    void let_in() noexcept;
    void join(turn&) noexcept;
    void leave(turn&) noexcept;

    unsigned places_, longest_;
    unsigned held_ = 0, waiting_ = 0;
    turn* first_ = nullptr;
    turn* last_ = nullptr;
};

}  // namespace apus::middleware

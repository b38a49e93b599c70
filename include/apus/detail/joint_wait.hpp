// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/deferred_call.hpp>
#include <apus/task.hpp>

#include <cstddef>

namespace apus::detail {

class joint_wait;

/// One of several concurrent tasks. The destructor cancels the task.
class joint_task : completion {
public:
    template <class T>
    explicit joint_task(task<T>&& t) : completion{} {
        const auto handle = t.release();
        frame_ = handle;
        promise_ = &handle.promise();
        error_in_ = [](promise_base& p) noexcept -> error* {
            auto& outcome = *static_cast<value_promise<T>&>(p).outcome;
            return outcome ? nullptr : &outcome.error();
        };
    }
    /// Must not be called after the task has started.
    joint_task(joint_task&& other) noexcept
        : completion{}, frame_(std::exchange(other.frame_, {})), promise_(other.promise_), error_in_(other.error_in_) {}
    joint_task& operator=(joint_task&&) = delete;
    ~joint_task() { cancel(); }

    void cancel() noexcept {
        if (frame_) std::exchange(frame_, {}).destroy();
    }

    error* failure() const noexcept { return error_in_(*promise_); }  ///< For a finished task; null for success.

    /// Moves the value out of a task that has succeeded. Call it once.
    template <class T>
    T take() {
        return **std::move(static_cast<value_promise<T>&>(*promise_).outcome);
    }

private:
    friend class joint_wait;

    joint_wait* of_ = nullptr;
    std::coroutine_handle<> frame_;
    promise_base* promise_;
    error* (*error_in_)(promise_base&) noexcept;
};

/// Starts tasks and waits for them. Its destructor cancels unfinished tasks.
class [[nodiscard]] joint_wait {
public:
    using awaits_task = void;

    /// The task that ends the wait.
    enum class until : unsigned char {
        all,   ///< The last task, or the first task that fails.
        first  ///< The first task that ends.
    };

    joint_wait(joint_task* tasks, std::size_t count, until which) noexcept
        : tasks_(tasks), count_(count), until_(which) {}
    joint_wait(const joint_wait&) = delete;
    joint_wait& operator=(const joint_wait&) = delete;
    ~joint_wait() { cancel(); }

    bool await_ready() const noexcept { return false; }
    template <class P>
    bool await_suspend(std::coroutine_handle<P> waiter) noexcept {
        return start(waiter, waiter.promise());
    }
    /// The task that ended the wait; null if all tasks have succeeded.
    joint_task* await_resume() const noexcept { return decisive_; }

    /// Cancels all tasks except `but`, which has finished.
    void cancel(const joint_task* but = nullptr) noexcept {
        closed_ = true;
        for (std::size_t i = count_; i-- > 0;)
            if (tasks_ + i != but) tasks_[i].cancel();
    }

    /// Destroys `failed`, then the other tasks.
    /// Awaiting the returned object fails the awaiting task with the error of `failed`.
    apus::failure fail_with(joint_task& failed) {
        error why = std::move(*failed.failure());
        failed.cancel();
        cancel();
        return apus::failure(std::move(why));
    }

private:
    bool start(std::coroutine_handle<> waiter, promise_base& caller) noexcept;
    static void ended(completion*) noexcept;

    joint_task* const tasks_;
    const std::size_t count_;
    const until until_;
    bool starting_ = false;
    bool decided_ = false;
    bool closed_ = false;
    std::size_t succeeded_ = 0;
    joint_task* decisive_ = nullptr;
    std::coroutine_handle<> waiter_;
    // Resumes the waiter only after the task's coroutine has suspended, because the waiter may destroy that coroutine.
    deferred_call go_on_{[](void* self) noexcept { static_cast<joint_wait*>(self)->waiter_.resume(); }, this};
};

}  // namespace apus::detail

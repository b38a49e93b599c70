// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/late.hpp>
#include <apus/error.hpp>

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <type_traits>
#include <utility>

namespace apus {

template <class T = void>
class task;

namespace detail {

error error_from_current_exception();

// Coroutine frames come from a free list of this core (src/runtime/frame_pool.cpp).
void* frame_allocate(std::size_t);
void frame_free(void*, std::size_t) noexcept;

// Set the request that this thread handles, for the watchdog and log records (src/runtime/activity.hpp).
void enter_request(const void*) noexcept;
void leave_request() noexcept;

/// Called when an outermost task has finished.
/// `run` is called during the task's final suspension, so it must not destroy the frame.
struct completion {
    void (*run)(completion*) noexcept;
    const char* origin = nullptr;  // the task's kind in /debug/tasks; null: not known
};

/// Neighbors in the core's list of suspended tasks (src/runtime/suspended_tasks.hpp).
struct suspension_link {
    suspension_link* next = nullptr;
    suspension_link* prev = nullptr;  // null: not in the list
};

/// Common part of all promises: completes a coroutine.
/// Resumes the waiter. If the coroutine has failed, and the waiter does not await the outcome, the waiter fails with
/// the same error.
struct promise_base : suspension_link {
    using fail_waiter = std::coroutine_handle<> (*)(void* waiter, error&&);

    std::coroutine_handle<> waiter = std::noop_coroutine();
    fail_waiter on_error = nullptr;
    completion* done = nullptr;      // of an outermost task, which has no waiter
    const void* request = nullptr;   // the request of the coroutine; may be null
    promise_base* caller = nullptr;  // the task that waits for this task, and outlives it; null: outermost
    std::source_location site{};     // of the coroutine's last `co_await` of a task or an awaitable
    std::uint64_t since = 0;         // start of the turn that suspended the task, in milliseconds of CLOCK_MONOTONIC

    promise_base() noexcept = default;
    promise_base(const promise_base&) = delete;
    promise_base& operator=(const promise_base&) = delete;
    ~promise_base() {
        if (prev) forget_suspension();
    }

    template <class P>
    void set_waiter(std::coroutine_handle<P> by) noexcept {
        waiter = by;
        caller = &by.promise();
        request = caller->request;
    }

    template <class T>
    std::coroutine_handle<> leave(late<result<T>>& outcome) {
        if (done) {
            done->run(done);
            return std::noop_coroutine();
        }
        if (*outcome || !on_error) return waiter;
        return on_error(waiter.address(), std::move(*outcome).error());
    }

    // For a task that waits for anything but another task.
    void suspend() noexcept;  ///< Adds the task to the list of suspended tasks, and leaves its request.
    void resume() noexcept;   ///< Undoes `suspend`.
    void forget_suspension() noexcept;

    static void* operator new(std::size_t size) { return frame_allocate(size); }
    static void operator delete(void* frame, std::size_t size) noexcept { frame_free(frame, size); }
};

template <class Promise>
std::coroutine_handle<> fail_promise(void* address, error&& e) {
    auto& promise = std::coroutine_handle<Promise>::from_address(address).promise();
    if (promise.prev) promise.forget_suspension();
    promise.outcome.emplace(std::unexpected(std::move(e)));
    return promise.leave(promise.outcome);
}

template <class T>
struct value_promise : promise_base {
    late<result<T>> outcome;
    template <class U>
    void return_value(U&& value) {
        outcome.emplace(std::forward<U>(value));
    }
};

template <>
struct value_promise<void> : promise_base {
    late<result<void>> outcome;
    void return_void() { outcome.emplace(); }
};

template <class R>
struct result_awaiter {
    R outcome;

    explicit result_awaiter(R r) : outcome(std::move(r)) {}
    bool await_ready() const noexcept { return outcome.has_value(); }
    template <class P>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<P> self) {
        return fail_promise<P>(self.address(), std::move(outcome).error());
    }
    auto await_resume() {
        if constexpr (!std::is_void_v<typename R::value_type>) return *std::move(outcome);
    }
};

// Refers to an awaitable by pointer: with a reference, g++ 12 copies the awaitable.
template <class A>
struct awaiter_reference {
    A* of;
    promise_base* suspended = nullptr;

    bool await_ready() { return of->await_ready(); }
    template <class P>
    auto await_suspend(std::coroutine_handle<P> waiter) {
        suspended = &waiter.promise();
        suspended->suspend();
        return of->await_suspend(waiter);
    }
    decltype(auto) await_resume() {
        if (suspended) suspended->resume();
        return of->await_resume();
    }
};

/// Awaitables that wait for a task. They set the task's `caller`, so only that task is in the list.
template <class A>
concept awaits_task = requires { typename A::awaits_task; };

template <awaits_task A>
struct awaiter_reference<A> {
    A* of;
    const void* request = nullptr;  // of the suspended coroutine

    bool await_ready() { return of->await_ready(); }
    template <class P>
    auto await_suspend(std::coroutine_handle<P> waiter) {
        request = waiter.promise().request;
        if (request) leave_request();
        return of->await_suspend(waiter);
    }
    decltype(auto) await_resume() {
        if (request) enter_request(request);
        return of->await_resume();
    }
};

}  // namespace detail

/// A coroutine that returns a T or an error.
/// It starts when awaited. Destroying the task cancels it. A task belongs to the core that created it: move, await and
/// destroy it only there.
///
/// `co_await` propagates errors: awaiting a failed task or `result` ends the awaiting coroutine with the same error. To
/// handle the error instead, await `std::move(t).outcome()`.
template <class T>
class [[nodiscard("a task that is not awaited never runs: write co_await")]] task {
public:
    struct promise_type;
    using handle = std::coroutine_handle<promise_type>;

    task(task&& other) noexcept : self_(other.self_) { other.self_ = {}; }
    task& operator=(task&& other) noexcept {
        std::swap(self_, other.self_);
        return *this;
    }
    ~task() {
        if (self_) self_.destroy();
    }

    template <bool Unwrap>
    struct awaiter {
        using awaits_task = void;
        task inner;

        explicit awaiter(task&& t) : inner(std::move(t)) {}
        bool await_ready() const noexcept { return false; }
        template <class P>
        handle await_suspend(std::coroutine_handle<P> waiter) noexcept {
            auto& promise = inner.self_.promise();
            promise.set_waiter(waiter);
            if constexpr (Unwrap) promise.on_error = detail::fail_promise<P>;
            else if (promise.request) detail::enter_request(promise.request);
            return inner.self_;
        }
        auto await_resume() {
            auto& outcome = *inner.self_.promise().outcome;
            if constexpr (!Unwrap) return std::move(outcome);
            else if constexpr (!std::is_void_v<T>) return *std::move(outcome);
        }
    };

    /// Returns an awaitable whose value is a `result<T>`.
    /// An error then does not end the awaiting coroutine.
    awaiter<false> outcome() && { return awaiter<false>(std::move(*this)); }

    /// Releases ownership of the coroutine: the caller resumes and destroys it.
    handle release() noexcept {
        const handle given = self_;
        self_ = {};
        return given;
    }

private:
    explicit task(handle h) : self_(h) {}
    handle self_;
};

template <class T>
struct task<T>::promise_type : detail::value_promise<T> {
    task get_return_object() { return task(handle::from_promise(*this)); }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    auto final_suspend() const noexcept {
        struct leave {
            bool await_ready() const noexcept { return false; }
            std::coroutine_handle<> await_suspend(handle self) const noexcept {
                return self.promise().leave(self.promise().outcome);
            }
            void await_resume() const noexcept {}
        };
        return leave{};
    }
    void unhandled_exception() {
        if (this->prev) this->resume();  // `await_suspend` of an awaitable has thrown
        this->outcome.emplace(std::unexpected(detail::error_from_current_exception()));
    }

    template <class U>
    auto await_transform(task<U>&& inner, std::source_location at = std::source_location::current()) {
        this->site = at;
        return typename task<U>::template awaiter<true>(std::move(inner));
    }
    template <class U>
    auto await_transform(result<U> r) {
        return detail::result_awaiter<result<U>>(std::move(r));
    }
    auto await_transform(failure f) { return detail::result_awaiter<result<void>>(std::move(f)); }
    template <class A>
        requires requires(A& a) { a.await_ready(); }
    auto await_transform(A&& a, std::source_location at = std::source_location::current()) {
        this->site = at;
        return detail::awaiter_reference<std::remove_reference_t<A>>{&a};
    }
};

// Instantiated once, in the library, to save compile time.
extern template class result<std::string>;
extern template class detail::late<result<void>>;
extern template class detail::late<result<bool>>;
extern template class detail::late<result<std::string>>;
extern template class task<void>;
extern template struct task<void>::awaiter<true>;
extern template class task<bool>;
extern template struct task<bool>::awaiter<true>;
extern template class task<std::string>;
extern template struct task<std::string>::awaiter<true>;

}  // namespace apus

// SPDX-License-Identifier: Apache-2.0
#pragma once

// A place for work that blocks its thread: files, name look-ups, long computations.

#include <apus/task.hpp>

namespace apus {

/// Bounds of the threads that `blocking` uses, for the whole process.
struct blocking_limits {
    /// Threads at most. 0: as many as there are processors, but at least 4. Each starts when needed.
    unsigned threads = 0;
    unsigned queue = 1'024;  ///< Calls that wait for a thread, at most. Over it: 503.
};

namespace detail {

/// What the threads need to know of a call; the typed rest is in `blocking_job`.
struct blocking_work {
    void (*run)(blocking_work&) noexcept;                      // on a thread: calls f, keeps what it gives
    void (*refuse)(blocking_work&, const char* why) noexcept;  // instead of `run`
    void (*destroy)(blocking_work&) noexcept;
    std::coroutine_handle<> (*finish)(blocking_work&) = nullptr;  // who goes on, back on the core
    void* waiter = nullptr;
};

/// One call, as long as somebody awaits it.
class blocking_call {
public:
    explicit blocking_call(blocking_work& work) noexcept : work_(&work) {}
    blocking_call(blocking_call&& other) noexcept : work_(std::exchange(other.work_, nullptr)) {}
    blocking_call& operator=(blocking_call&&) = delete;
    ~blocking_call() {
        if (work_) leave();
    }

    bool await_ready() const noexcept { return false; }

protected:
    bool start() noexcept;  // false: it was refused
    blocking_work* work_;

private:
    friend struct blocking_ticket;
    void leave() noexcept;

    struct blocking_ticket* ticket_ = nullptr;  // while a thread has it, or may get it
};

template <class T>
struct blocking_value {
    using type = T;
};
template <class T>
struct blocking_value<result<T>> {
    using type = T;
};

template <class F>
struct blocking_job : blocking_work {
    using returned = decltype(std::declval<F&>()());
    using value = typename blocking_value<returned>::type;

    F f;
    std::optional<result<value>> outcome;

    explicit blocking_job(F&& call) : blocking_work{do_run, do_refuse, do_destroy}, f(std::move(call)) {}

    static blocking_job& of(blocking_work& work) noexcept { return static_cast<blocking_job&>(work); }
    static void do_run(blocking_work& work) noexcept {
        auto& self = of(work);
        try {
            if constexpr (std::is_void_v<returned>) self.f(), self.outcome.emplace();
            else self.outcome.emplace(self.f());
        } catch (...) {
            self.outcome.emplace(std::unexpected(error_from_current_exception()));
        }
    }
    static void do_refuse(blocking_work& work, const char* why) noexcept {
        of(work).outcome.emplace(std::unexpected(error(503, why).expose()));
    }
    static void do_destroy(blocking_work& work) noexcept { delete &of(work); }

    template <class P, bool Unwrap>
    static std::coroutine_handle<> do_finish(blocking_work& work) {
        auto& self = of(work);
        if (Unwrap && !*self.outcome) return fail_promise<P>(self.waiter, std::move(*self.outcome).error());
        return std::coroutine_handle<>::from_address(self.waiter);
    }
};

}  // namespace detail

/// `co_await apus::blocking(f)` runs `f()` on another thread and gives what it returns, back on this
/// core, which serves others meanwhile. If `f` returns a `result`, its error is passed on; if it
/// throws, that is a 500; if too many calls wait already, a 503, and `f` does not run.
///
/// Cancelling the task that waits is safe at any time: a call that has no thread yet does not run,
/// one that runs is left alone and its result dropped. So `f` owns what it uses, or shares it
/// safely: references to the waiting task's variables may dangle. What it captured is destroyed on
/// either thread. Each wait ends only when `f` does: give it deadlines of its own.
template <class F, bool Unwrap = true>
class [[nodiscard]] blocking : public detail::blocking_call {
    using job = detail::blocking_job<F>;

public:
    explicit blocking(F f) : blocking_call(*new job(std::move(f))) {}

    /// Awaiting this gives a `result` instead of passing errors on.
    blocking<F, false> outcome() && { return blocking<F, false>(static_cast<detail::blocking_call&&>(*this)); }

    template <class P>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<P> waiter) {
        work_->waiter = waiter.address();
        work_->finish = job::template do_finish<P, Unwrap>;
        if (start()) return std::noop_coroutine();
        return work_->finish(*work_);
    }
    auto await_resume() {
        auto& outcome = *job::of(*work_).outcome;
        if constexpr (!Unwrap) return std::move(outcome);
        else if constexpr (!std::is_void_v<typename job::value>) return *std::move(outcome);
    }

private:
    template <class, bool>
    friend class blocking;
    explicit blocking(detail::blocking_call&& same) noexcept : blocking_call(std::move(same)) {}
};

template <class F>
blocking(F) -> blocking<F>;

}  // namespace apus

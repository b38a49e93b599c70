// SPDX-License-Identifier: Apache-2.0
#pragma once

// Worker threads for code that blocks: files, name resolution, long computations.

#include <apus/task.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace apus {

/// Limits of the threads that `blocking` uses in the whole process, or of a `blocking_pool`.
struct blocking_limits {
    /// Maximum threads. 0: the number of CPUs, but at least 4. Threads start on demand.
    unsigned threads = 0;
    unsigned queue = 1'024;  ///< Maximum calls that wait for a thread. Further calls fail with error 503.
};

namespace detail {

class blocking_parts;

/// Type-erased part of a call, used by the worker threads; `blocking_job` has the typed part.
struct blocking_work {
    void (*run)(blocking_work&) noexcept;                      // on a worker thread: calls `f` and stores its result
    void (*refuse)(blocking_work&, const char* why) noexcept;  // instead of `run`
    void (*destroy)(blocking_work&) noexcept;
    std::coroutine_handle<> (*finish)(blocking_work&) = nullptr;  // on the core: returns the coroutine to resume
    void* waiter = nullptr;
};

/// One call. The caller keeps it alive while awaiting it.
class blocking_call {
public:
    explicit blocking_call(blocking_work& work, blocking_parts* in = nullptr) noexcept : work_(&work), in_(in) {
        if (in_) keep();
    }
    blocking_call(blocking_call&& other) noexcept
        : work_(std::exchange(other.work_, nullptr)), in_(std::exchange(other.in_, nullptr)) {}
    blocking_call& operator=(blocking_call&&) = delete;
    ~blocking_call() {
        if (work_) leave();
        if (in_) let_go();
    }

    bool await_ready() const noexcept { return false; }

protected:
    bool start(const void* request) noexcept;  // for a request or null; false: the call was rejected
    blocking_work* work_;

private:
    friend struct blocking_entry;
    void leave() noexcept;
    void keep() noexcept;
    void let_go() noexcept;

    blocking_parts* in_;                       // null: the shared threads of the process
    struct blocking_entry* ticket_ = nullptr;  // null unless the call is queued or running
};

template <class T>
struct blocking_value {
    using type = T;
};
template <class T>
struct blocking_value<result<T>> {
    using type = T;
};

/// Returns the request of a coroutine, which may be null.
template <class P>
const void* request_of(std::coroutine_handle<P> coroutine) noexcept {
    if constexpr (std::is_base_of_v<promise_base, P>) return coroutine.promise().request;
    else return nullptr;
}

template <class F>
struct blocking_job : blocking_work {
    using returned = decltype(std::declval<F&>()());
    using value = typename blocking_value<returned>::type;

    F f;
    late<result<value>> outcome;

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

/// Whether values of this type refer to memory that they do not own: pointers, views, references.
template <class T>
inline constexpr bool refers_elsewhere =
    std::is_pointer_v<T> ||
    (std::is_trivially_copyable_v<T> && requires(const T& t) { t.data() + t.size(); } &&
     !requires { std::tuple_size<T>::value; }) ||
    (std::is_trivially_copyable_v<T> && requires(const T& t) {
        typename T::type;
        { t.get() } -> std::same_as<typename T::type&>;
    });

/// Returns a callable that owns the function and its arguments.
template <class F, class... A>
auto bind_arguments(F f, A... arguments) {
    return [f = std::move(f), ... arguments = std::move(arguments)]() mutable { return f(std::move(arguments)...); };
}

}  // namespace detail

/// Wraps a function object that owns all data it uses.
/// The caller guarantees this ownership, which the compiler cannot check. The function may outlive the waiting task:
/// `apus::blocking(apus::owning([path] { return read_file(path); }))`.
template <class F>
class owning {
public:
    explicit owning(F f) : function_(std::move(f)) {}
    auto operator()() { return function_(); }

private:
    F function_;
};

namespace detail {

template <class F>
inline constexpr bool owns_what_it_uses =
    std::is_empty_v<F> || (std::is_pointer_v<F> && std::is_function_v<std::remove_pointer_t<F>>);
template <class F>
inline constexpr bool owns_what_it_uses<owning<F>> = true;

template <class F, class... A>
struct blocking_check {
    static_assert(
        owns_what_it_uses<F>,
        "apus::blocking: the function may outlive the waiting task, so it must not capture: pass data as arguments, "
        "which are copied, as in blocking(read_file, path); or wrap it in apus::owning if it captures by value only");
    static_assert((!refers_elsewhere<A> && ...),
                  "apus::blocking: an argument is a pointer, reference or view, which may dangle when the function "
                  "uses it: pass an owning value, such as std::string or std::shared_ptr");
};

}  // namespace detail

/// Runs `f(arguments...)` on another thread: `co_await apus::blocking(f, arguments...)`.
/// This core serves other requests meanwhile, and resumes the waiting task with the result. If `f` returns a failed
/// `result`, the waiting task fails with its error. If `f` throws, the task fails with error 500. If too many calls are
/// queued, `f` does not run, and the task fails with error 503.
///
/// Cancelling the waiting task is safe at any time: a queued call does not run; a running call continues, and its
/// result is dropped. Therefore the call must own its data: `f` is a function or a lambda without captures, and
/// arguments are moved into the call. Pointers and views do not compile. Wrap other function objects that own their
/// data in `owning`. Arguments may be destroyed on the worker thread or on this core. The wait ends only when `f`
/// returns, so `f` needs timeouts of its own.
template <class F, bool Unwrap = true>
class [[nodiscard]] blocking : public detail::blocking_call {
    using job = detail::blocking_job<F>;

public:
    explicit blocking(F f) : blocking_call(*new job(std::move(f))) { (void)detail::blocking_check<F>(); }
    /// Calls `f` with arguments.
    template <class G, class A, class... More>
    explicit blocking(G f, A argument, More... more)
        : blocking_call(*new job(detail::bind_arguments(std::move(f), std::move(argument), std::move(more)...))) {
        (void)detail::blocking_check<G, A, More...>();
    }

    /// Returns an awaitable whose value is a `result`, so that an error does not fail the waiting task.
    blocking<F, false> outcome() && { return blocking<F, false>(static_cast<detail::blocking_call&&>(*this)); }

    template <class P>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<P> waiter) {
        work_->waiter = waiter.address();
        work_->finish = job::template do_finish<P, Unwrap>;
        if (start(detail::request_of(waiter))) return std::noop_coroutine();
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
    friend class blocking_pool;
    blocking(detail::blocking_parts* in, F f, std::nullptr_t) : blocking_call(*new job(std::move(f)), in) {}
    explicit blocking(detail::blocking_call&& same) noexcept : blocking_call(std::move(same)) {}
};

template <class F>
blocking(F) -> blocking<F>;
template <class F, class A, class... More>
blocking(F, A, More...)
    -> blocking<decltype(detail::bind_arguments(std::declval<F>(), std::declval<A>(), std::declval<More>()...))>;

/// Threads reserved for one kind of blocking work.
/// This work then cannot occupy all shared threads. Create the pool outside `make_app`. It must outlive the server.
class blocking_pool {
public:
    /// Threads start on demand.
    /// `name`: label `pool` in metrics; pools of one name are counted together.
    explicit blocking_pool(const blocking_limits& limits, std::string_view name = "default");
    blocking_pool(const blocking_pool&) = delete;
    blocking_pool& operator=(const blocking_pool&) = delete;
    /// Ends queued calls with 503, and waits for running calls.
    ~blocking_pool();

    /// Like `blocking`, on the threads of this pool. Awaitable.
    template <class F, class... A>
    auto run(F f, A... arguments) {
        (void)detail::blocking_check<F, A...>();
        if constexpr (sizeof...(A) == 0) return blocking<F>(parts_, std::move(f), nullptr);
        else return in_pool(detail::bind_arguments(std::move(f), std::move(arguments)...));
    }

    std::size_t running() const noexcept;  ///< Number of calls that run now.

private:
    template <class B>
    blocking<B> in_pool(B bound) {
        return blocking<B>(parts_, std::move(bound), nullptr);
    }

    detail::blocking_parts* parts_;
};

}  // namespace apus

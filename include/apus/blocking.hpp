// SPDX-License-Identifier: Apache-2.0
#pragma once

// A place for work that blocks its thread: files, name look-ups, long computations.

#include <apus/task.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace apus {

/// Bounds of the threads that `blocking` uses, for the whole process, or of a `blocking_pool`.
struct blocking_limits {
    /// Threads at most. 0: as many as there are processors, but at least 4. Each starts when needed.
    unsigned threads = 0;
    unsigned queue = 1'024;  ///< Calls that wait for a thread, at most. Over it: 503.
};

namespace detail {

class blocking_parts;

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
    bool start() noexcept;  // false: it was refused
    blocking_work* work_;

private:
    friend struct blocking_ticket;
    void leave() noexcept;
    void keep() noexcept;
    void let_go() noexcept;

    blocking_parts* in_;                        // null: the threads of the process
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

/// Whether a value refers to memory that it does not own, as far as its type tells.
template <class T>
inline constexpr bool refers_elsewhere =
    std::is_pointer_v<T> ||
    (std::is_trivially_copyable_v<T> && requires(const T& t) { t.data() + t.size(); } &&
     !requires { std::tuple_size<T>::value; }) ||
    (std::is_trivially_copyable_v<T> && requires(const T& t) {
        typename T::type;
        { t.get() } -> std::same_as<typename T::type&>;
    });

/// A function together with its arguments, which it owns.
template <class F, class... A>
auto bind_arguments(F f, A... arguments) {
    return [f = std::move(f), ... arguments = std::move(arguments)]() mutable { return f(std::move(arguments)...); };
}

}  // namespace detail

/// A function object whose author promises that it owns all that it uses, so that it may outlive the task that waits
/// for it: `apus::blocking(apus::owning([path] { return read_file(path); }))`.
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
        "apus::blocking: the function may run on when the task that waits for it is gone, so it captures "
        "nothing: pass what it uses as arguments, which are copied, as in blocking(read_file, path); or wrap it "
        "in apus::owning if it captures by value only");
    static_assert((!refers_elsewhere<A> && ...),
                  "apus::blocking: an argument is a pointer, reference or view, and what it refers to may be gone when "
                  "the function uses it: pass a value that owns it, such as std::string or std::shared_ptr");
};

}  // namespace detail

/// `co_await apus::blocking(f, arguments...)` runs `f(arguments...)` on another thread and gives what it returns, back
/// on this core, which serves others meanwhile. If `f` returns a `result`, its error is passed on; if it
/// throws, that is a 500; if too many calls wait already, a 503, and `f` does not run.
///
/// Cancelling the task that waits is safe at any time: a call that has no thread yet does not run,
/// one that runs is left alone and its result dropped. So the call owns what it uses: `f` is a function or
/// a lambda without captures, and arguments are moved into the call; pointers and views do not compile. Other function
/// objects are marked by `owning`. Arguments are destroyed on either thread. Each wait ends only when `f` does: give
/// it deadlines of its own.
template <class F, bool Unwrap = true>
class [[nodiscard]] blocking : public detail::blocking_call {
    using job = detail::blocking_job<F>;

public:
    explicit blocking(F f) : blocking_call(*new job(std::move(f))) { (void)detail::blocking_check<F>(); }
    /// With the arguments of `f`.
    template <class G, class A, class... More>
    explicit blocking(G f, A argument, More... more)
        : blocking_call(*new job(detail::bind_arguments(std::move(f), std::move(argument), std::move(more)...))) {
        (void)detail::blocking_check<G, A, More...>();
    }

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
    friend class blocking_pool;
    blocking(detail::blocking_parts* in, F f, std::nullptr_t) : blocking_call(*new job(std::move(f)), in) {}
    explicit blocking(detail::blocking_call&& same) noexcept : blocking_call(std::move(same)) {}
};

template <class F>
blocking(F) -> blocking<F>;
template <class F, class A, class... More>
blocking(F, A, More...)
    -> blocking<decltype(detail::bind_arguments(std::declval<F>(), std::declval<A>(), std::declval<More>()...))>;

/// Threads of their own for one kind of blocking work, so that it does not take those of others: two for reports, say,
/// beside those that read files. Made outside of make_app; outlives the server.
class blocking_pool {
public:
    /// Threads start when they are needed.
    explicit blocking_pool(const blocking_limits& limits);
    blocking_pool(const blocking_pool&) = delete;
    blocking_pool& operator=(const blocking_pool&) = delete;
    /// Calls that wait for a thread end with 503. Waits for those that run.
    ~blocking_pool();

    /// To be awaited: as `blocking`, on the threads of this pool.
    template <class F, class... A>
    auto run(F f, A... arguments) {
        (void)detail::blocking_check<F, A...>();
        if constexpr (sizeof...(A) == 0) return blocking<F>(parts_, std::move(f), nullptr);
        else return in_pool(detail::bind_arguments(std::move(f), std::move(arguments)...));
    }

    std::size_t running() const noexcept;  ///< Calls that threads are in.

private:
    template <class B>
    blocking<B> in_pool(B bound) {
        return blocking<B>(parts_, std::move(bound), nullptr);
    }

    detail::blocking_parts* parts_;
};

}  // namespace apus

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Middleware: code around handlers. `with` adds it to one route; `use` adds it to all routes of an app or group
// (app.hpp).

#include <apus/detail/erased.hpp>
#include <apus/detail/needed_value.hpp>

namespace apus {

namespace web {
class application;
}

/// Outcome of middleware: a response in `out`, an error, or a pending task.
/// Awaiting a pending task returns its response, also for errors and exceptions.
class [[nodiscard("return it, or co_await it")]] pending_response {
public:
    using awaits_task = void;  ///< Used by the library.

    /// The response is in `out`.
    pending_response() noexcept = default;
    /// The response is the value of a coroutine, which starts when the app receives this object.
    pending_response(task<response> later) noexcept : waiting_(later.release()) {}
    /// Responds with an error, in place of `out`: `return apus::fail(403, "members only");`
    pending_response(failure why);
    /// Used by the library.
    explicit pending_response(detail::pending waiting) noexcept : waiting_(waiting) {}

    /// The moved-from object is empty.
    pending_response(pending_response&& other) noexcept
        : waiting_(std::exchange(other.waiting_, {})), why_(std::exchange(other.why_, nullptr)) {}
    pending_response& operator=(pending_response&& other) noexcept {
        std::swap(waiting_, other.waiting_);
        std::swap(why_, other.why_);
        return *this;
    }
    ~pending_response() {
        if (waiting_) waiting_.destroy();
        if (why_) drop_error();
    }

    /// Whether a task is pending. Otherwise `out` holds the response.
    explicit operator bool() const noexcept { return bool(waiting_); }

    bool await_ready() const noexcept { return !waiting_; }
    template <class P>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<P> waiter) noexcept {
        return detail::begin_waiting(waiting_, waiter);
    }
    response await_resume();  ///< Throws `std::logic_error` if no task is pending.

    /// Used by the library. Returns the pending task; if null, the response is in `out`.
    detail::pending settle(response& out) && {
        if (why_) put_error(out);
        return std::exchange(waiting_, {});
    }

private:
    void put_error(response& out);
    void drop_error() noexcept;

    detail::pending waiting_;
    error* why_ = nullptr;
};

namespace detail {

template <class After>
task<response> run_after(pending_response rest, After after) {
    response out = co_await std::move(rest);
    after(out);
    co_return out;
}

}  // namespace detail

/// The rest of the chain: inner middleware and the handler.
/// A call never fails: errors and exceptions become responses, so the code after the call always runs. Valid until the
/// middleware's task ends.
class next_handler {
public:
    explicit next_handler(const detail::step* first) noexcept : first_(first) {}

    /// In a coroutine: `apus::response res = co_await next(req);`
    detail::next_call operator()(request& req) const noexcept { return {first_, req}; }

    /// Without a coroutine: writes the response to `out`, unless the result is pending.
    /// `out` must be a default-constructed response.
    pending_response run(request& req, response& out) const noexcept {
        return pending_response(detail::advance(first_, req, out));
    }

    /// Like `run(req, out)`; also calls `after(response&)` when the response is complete.
    /// If the rest of the chain does not wait, `after` is called before this function returns, otherwise later.
    template <class After>
    pending_response run(request& req, response& out, After after) const {
        if (pending_response rest = run(req, out)) return detail::run_after(std::move(rest), std::move(after));
        after(out);
        return {};
    }

private:
    const detail::step* first_;
};

namespace detail {

template <class F>
concept filter = requires(const F& f, request& req) {
    { f(req) } -> std::same_as<result<void>>;
};
template <class F>
concept coroutine_middleware = requires(const F& f, request& req, next_handler rest) {
    { f(req, rest) } -> std::same_as<task<response>>;
};
template <class F>
concept plain_middleware = requires(const F& f, request& req, response& out, next_handler rest) {
    { f(req, out, rest) } -> std::same_as<pending_response>;
};

template <class F>
pending run_filter(const step* here, request& req, response& out) {
    result<void> passed = (*static_cast<const F*>(here->self))(req);
    return passed ? here[1].run(here + 1, req, out) : refuse(std::move(passed.error()), out);
}
template <class F>
pending run_coroutine(const step* here, request& req, response&) {
    task<response> t = (*static_cast<const F*>(here->self))(req, next_handler(here + 1));
    return t.release();
}
template <class F>
pending run_plain(const step* here, request& req, response& out) {
    return (*static_cast<const F*>(here->self))(req, out, next_handler(here + 1)).settle(out);
}

template <class F>
constexpr const void* what_is_set() noexcept {
    if constexpr (!requires { typename F::sets; }) return &may_set_anything;
    else if constexpr (std::is_void_v<typename F::sets>) return sets_nothing;
    else return &type_key<typename F::sets>;
}

template <class F>
inline constexpr needed_value needs_of_middleware[] = {
    {needed<typename F::needs>.key, needed<typename F::needs>.spelled, needed<typename F::needs>.setter, spell<F>()},
    {}};

template <class F>
erased own_middleware(F f, decltype(erased::run) run, body_use body) {
    erased made = own(std::move(f), run, body);
    made.sets = what_is_set<F>();
    made.spelled = spell<F>();
    if constexpr (requires { typename F::needs; }) made.needs = needs_of_middleware<F>;
    if constexpr (requires(const F& g) { g.security(); })
        made.security = [](const void* self) { return static_cast<const F*>(self)->security(); };
    return made;
}

template <class F>
constexpr body_use body_of_middleware() noexcept {
    if constexpr (requires { F::reads_body; }) return F::reads_body ? body_use::streamed : body_use::ignored;
    else return coroutine_middleware<F> ? body_use::streamed : body_use::ignored;
}

template <class F>
erased erase_middleware(F f) {
    static_assert(
        plain_middleware<F> || filter<F> || coroutine_middleware<F>,
        "middleware must be (request&, next_handler) -> task<response>, or as a filter (request&) -> result<void>, "
        "or (request&, response& out, next_handler) -> pending_response");
    if constexpr (plain_middleware<F>) return own_middleware(std::move(f), &run_plain<F>, body_of_middleware<F>());
    else if constexpr (coroutine_middleware<F>)
        return own_middleware(std::move(f), &run_coroutine<F>, body_of_middleware<F>());
    else if constexpr (filter<F>) return own_middleware(std::move(f), &run_filter<F>, body_of_middleware<F>());
    else return {};
}

}  // namespace detail

/// Middleware for routes, returned by `with`.
/// Copies share the middleware objects, so routes with the same list share state, such as the buckets of a
/// `rate_limit`. Belongs to the core that created it.
class middleware_list {
public:
    middleware_list();  ///< An empty list.
    middleware_list(const middleware_list&);
    middleware_list(middleware_list&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
    middleware_list& operator=(middleware_list other) noexcept {
        std::swap(parts_, other.parts_);
        return *this;
    }
    ~middleware_list();

    /// Adds innermost middleware, in one of the forms of `router::use`.
    template <class F>
    void add(F middleware) {
        if constexpr (std::is_same_v<F, middleware_list>) add_all(middleware);
        else add_one(detail::erase_middleware(std::move(middleware)));
    }

private:
    friend class router;
    friend class web::application;
    struct parts;
    void add_one(detail::erased);
    void add_all(const middleware_list&);

    parts* parts_ = nullptr;
};

/// Returns middleware for single routes, outermost first.
/// Example: `app.get("/stats", with(admins_only, limit), stats);`.
template <class... F>
middleware_list with(F... middleware) {
    middleware_list made;
    (made.add(std::move(middleware)), ...);
    return made;
}

}  // namespace apus

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/answers.hpp>
#include <apus/detail/chain.hpp>
#include <apus/detail/parameters.hpp>

namespace apus {
struct security_note;
}

namespace apus::detail {

template <class T>
inline constexpr bool is_task = false;
template <class T>
inline constexpr bool is_task<task<T>> = true;

/// Turns the value of a handler's task into its response.
template <class T>
task<response> answer_later(task<T> work) {
    response out;
    if constexpr (std::is_void_v<T>) {
        co_await std::move(work);
        out.status(204);
    } else {
        auto value = co_await std::move(work);
        answer<T>::put(out, std::move(value));
    }
    co_return out;
}

/// Calls `f` with the values of its slots, which are filled.
template <class F, class... S>
pending call_filled(const F& f, response& out, S&... slots) {
    using returned = typename signature<F>::returns;
    if constexpr (std::is_same_v<returned, task<response>>) return f(slots.give()...).release();
    else if constexpr (is_task<returned>) return answer_later(f(slots.give()...)).release();
    else if constexpr (std::is_void_v<returned>) f(slots.give()...), out.status(204);
    else answer<returned>::put(out, f(slots.give()...));
    return {};
}

/// A slot whose value is there only when something has been waited for, after `fill`.
template <class S>
concept waiting_slot = requires(S& s, request& req, response& out) { s.fill_later(req, out); };

template <class First, class... Rest>
auto& slot_that_waits(First& first, Rest&... rest) {
    if constexpr (waiting_slot<First>) return first;
    else return slot_that_waits(rest...);
}

/// The same from a coroutine, when the one slot that waits has its value.
template <class F, class... S>
task<response> call_later(const F& f, request& req, S... slots) {
    response out;
    task<bool> filling = slot_that_waits(slots...).fill_later(req, out);
    const bool filled = co_await std::move(filling);
    if (!filled) co_return out;
    if (pending rest = call_filled(f, out, slots...)) {
        task<response> answering = rest.promise().get_return_object();
        out = co_await std::move(answering);
    }
    co_return out;
}

/// Calls `f` with the values of its slots. Makes no coroutine but that of `f`, and none at all if
/// `f` is none or if a slot finds the client's error; but one more where a slot waits.
template <class F, class... S>
pending call(const F& f, request& req, response& out, S... slots) {
    [[maybe_unused]] unsigned index = 0;
    if (!(slots.fill(req, index, out) && ...)) return {};
    if constexpr ((waiting_slot<S> || ...)) {
        static_assert((0 + ... + (S::body != body_use::ignored)) == 1,
                      "a handler takes the body once: a form with files is read as it comes");
        return call_later(f, req, std::move(slots)...).release();
    } else {
        return call_filled(f, out, slots...);
    }
}

template <class A>
constexpr input describe_slot() {
    if constexpr (requires { slot<A>::about; }) return slot<A>::about;
    else return {};
}

template <class S>
concept ending_with_call = requires { S::ends_with_call; };

template <class S>
concept needing = requires { S::needs; };

template <class S>
constexpr needed_value need_of() noexcept {
    if constexpr (needing<S>) return S::needs;
    else return {nullptr, ""};
}
template <class... S>
inline constexpr needed_value needs_of[] = {need_of<S>()..., {}};

template <class F>
struct calling {
    template <class... A>
    struct with {
        static_assert((0U + ... + (slot<A>::body == body_use::whole && !std::is_same_v<A, body_text>)) <= 1,
                      "a handler takes the body as one thing: one json<T> or one form<T>, and body_text besides if it "
                      "needs the bytes");
        static_assert(!is_task<typename signature<F>::returns> || !(false || ... || ending_with_call<slot<A>>),
                      "a handler that is a coroutine takes what a client sends by value, json<T> in place of const "
                      "json<T>&: it runs on when what a reference names is gone");
        static constexpr unsigned captures = (0u + ... + slot<A>::captures);
        static constexpr bool sees_request = (false || ... || slot<A>::sees_request);
        static constexpr input inputs[] = {describe_slot<A>()..., {}};
        static constexpr operation about{inputs, sizeof...(A), answer<typename signature<F>::returns>::about};

        static pending run(const step* here, request& req, response& out) {
            return call(*static_cast<const F*>(here->self), req, out, slot<A>{}...);
        }
        static constexpr body_use body() {
            using returned = typename signature<F>::returns;
            body_use most = answer<returned>::may_stream || (is_task<returned> && sees_request) ? body_use::streamed
                                                                                                : body_use::ignored;
            ((most = slot<A>::body > most ? slot<A>::body : most), ...);
            return most;
        }
        static constexpr const needed_value* needs() noexcept {
            if constexpr ((false || ... || needing<slot<A>>)) return needs_of<slot<A>...>;
            else return nullptr;
        }
    };
};
template <class F>
using calls = typename signature<F>::template arguments<calling<F>::template with>;

/// A callable of any type, owned, as the last step of a chain or as one before it.
struct erased {
    void* self;
    pending (*run)(const step* here, request&, response& out);
    void (*destroy)(void* self);
    body_use body = body_use::ignored;
    const operation* about = nullptr;                   // of a handler
    const needed_value* needs = nullptr;                // of a handler
    const void* sets = &may_set_anything;               // of middleware: the key of a type, or null for nothing
    security_note (*asks)(const void* self) = nullptr;  // of middleware that says it
};

template <class F>
constexpr const void* what_is_set() noexcept {
    if constexpr (requires { F::sets; }) return F::sets;
    else return &may_set_anything;
}

template <class F>
erased own(F f, decltype(erased::run) run, body_use body) {
    erased made{new F(std::move(f)), run, [](void* self) { delete static_cast<F*>(self); }, body, nullptr, nullptr,
                what_is_set<F>()};
    if constexpr (requires(const F& g) { g.asks(); })
        made.asks = [](const void* self) { return static_cast<const F*>(self)->asks(); };
    return made;
}

template <class F>
erased erase_handler(F f) {
    erased made = own(std::move(f), &calls<F>::run, calls<F>::body());
    made.about = &calls<F>::about;
    made.needs = calls<F>::needs();
    return made;
}

template <class F>
pending run_filter(const step* here, request& req, response& out) {
    result<void> passed = (*static_cast<const F*>(here->self))(req);
    return passed ? here[1].run(here + 1, req, out) : refuse(std::move(passed.error()), out);
}

template <class F>
pending run_middleware(const step* here, request& req, response&) {
    task<response> t = (*static_cast<const F*>(here->self))(req, next(here + 1));
    return t.release();
}

/// What stands behind `before` and `after` when it waits for something.
template <class F>
task<response> run_after_later(const F& f, request& req, task<response> rest) {
    auto outcome = co_await std::move(rest).outcome();
    response out;
    if (outcome) out = *std::move(outcome);
    else refuse(std::move(outcome.error()), out);
    if (out.refusal()) give_body(req, out);
    f.after(req, out);
    co_return out;
}

template <class F>
pending run_halves(const step* here, request& req, response& out) {
    const F& f = *static_cast<const F*>(here->self);
    if (!f.before(req, out)) return {};
    if (pending rest = advance(here + 1, req, out))
        return run_after_later(f, req, rest.promise().get_return_object()).release();
    f.after(req, out);
    return {};
}

template <class F>
concept halves = requires(const F& f, request& req, response& out) {
    { f.before(req, out) } -> one_of<bool>;
    { f.after(req, out) } -> one_of<void>;
};
template <class F>
concept filter = requires(const F& f, request& req) {
    { f(req) } -> one_of<result<void>>;
};
template <class F>
concept middleware = requires(const F& f, request& req, next rest) {
    { f(req, rest) } -> one_of<task<response>>;
};

/// Middleware of the library, which decides for each request whether it needs a coroutine.
template <class F>
concept direct_middleware = requires(const F& f, const step* rest, request& req, response& out) {
    { f.run(rest, req, out) } -> one_of<pending>;
};

template <class F>
pending run_direct(const step* here, request& req, response& out) {
    return static_cast<const F*>(here->self)->run(here + 1, req, out);
}

template <class F>
erased erase_middleware(F f) {
    static_assert(direct_middleware<F> || filter<F> || middleware<F> || halves<F>,
                  "middleware is (request&, next) -> task<response>, or as a filter (request&) -> result<void>, "
                  "or has before(request&, response&) const -> bool and after(request&, response&) const -> void");
    if constexpr (direct_middleware<F>) return own(std::move(f), &run_direct<F>, F::body);
    else if constexpr (halves<F>) return own(std::move(f), &run_halves<F>, body_use::ignored);
    else if constexpr (middleware<F>) return own(std::move(f), &run_middleware<F>, body_use::streamed);
    else if constexpr (filter<F>) return own(std::move(f), &run_filter<F>, body_use::ignored);
    else return {};
}

}  // namespace apus::detail

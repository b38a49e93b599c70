// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/answer_task.hpp>
#include <apus/detail/answers.hpp>
#include <apus/detail/erased.hpp>
#include <apus/detail/parameters.hpp>

namespace apus::detail {

template <class T>
inline constexpr bool is_task = false;
template <class T>
inline constexpr bool is_task<task<T>> = true;

/// Calls `f` with the values of its slots, which must be filled.
template <class F, class... S>
pending call_filled(const F& f, response& out, S&... slots) {
    using returned = typename signature<F>::returns;
    if constexpr (std::is_same_v<returned, task<response>>) return f(slots.give()...).release();
    else if constexpr (is_task<returned>) return answer_later(typed_task(f(slots.give()...))).release();
    else if constexpr (std::is_void_v<returned>) f(slots.give()...), out.status(204);
    else answer<returned>::put(out, f(slots.give()...));
    return {};
}

/// A slot whose value requires a wait after `fill`.
template <class S>
concept waiting_slot = requires(S& s, request& req, response& out) { s.fill_later(req, out); };

template <class First, class... Rest>
auto& slot_that_waits(First& first, Rest&... rest) {
    if constexpr (waiting_slot<First>) return first;
    else return slot_that_waits(rest...);
}

/// Coroutine that waits for the value of the one waiting slot, then calls `f` like `call_filled`.
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

/// Coroutine that calls `f` like `call_filled`.
/// Keeps the slots, to which `f` has references, until the task of `f` ends.
template <class F, class... S>
task<response> call_and_hold(const F& f, S... slots) {
    response out;
    if (pending rest = call_filled(f, out, slots...)) {
        task<response> answering = rest.promise().get_return_object();
        out = co_await std::move(answering);
    }
    co_return out;
}

template <class S>
concept ending_with_call = requires { S::ends_with_call; };

/// Fills the slots of `f`, and calls `f` with their values, unless a slot fails.
/// Creates an additional coroutine only if a slot waits, or if `f` is a coroutine that takes request data by reference.
template <class F, class... S>
pending call(const F& f, request& req, response& out, S... slots) {
    [[maybe_unused]] unsigned index = 0;
    if (!(slots.fill(req, index, out) && ...)) return {};
    if constexpr ((waiting_slot<S> || ...)) {
        static_assert((0 + ... + (S::body != body_use::ignored)) == 1,
                      "a handler may take the body once: a form with files is read as a stream");
        return call_later(f, req, std::move(slots)...).release();
    } else if constexpr (is_task<typename signature<F>::returns> && (ending_with_call<S> || ...)) {
        return call_and_hold(f, std::move(slots)...).release();
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
concept needing = requires { S::needs; };

template <class S>
constexpr needed_value need_of() noexcept {
    if constexpr (needing<S>) return S::needs;
    else return {nullptr, ""};
}
template <class... S>
inline constexpr needed_value needs_of[] = {need_of<S>()..., {}};

template <class F>
struct named_handler {
    F handler;
    capture_order order;
};

template <class F>
struct calling {
    template <class... A>
    struct with {
        static_assert((0U + ... + (slot<A>::body == body_use::whole && !std::is_same_v<A, body_text>)) <= 1,
                      "a handler may take the body once: as json<T> or form<T>, optionally with body_text for the "
                      "bytes");
        static constexpr unsigned captures = (0u + ... + slot<A>::captures);
        static constexpr unsigned named = (0u + ... + named_capture<slot<A>>);
        static_assert(named == 0 || named == captures,
                      "a handler must take all captures of its route by name, as path<name, int>, or all by position");
        static constexpr bool sees_request = (false || ... || slot<A>::sees_request);
        static constexpr input inputs[] = {describe_slot<A>()..., {}};
        static constexpr operation about{inputs, sizeof...(A), answer<typename signature<F>::returns>::about};

        static pending run(const step* here, request& req, response& out) {
            return call(*static_cast<const F*>(here->self), req, out, slot<A>{}...);
        }
        static constexpr capture_names names() {
            capture_names made;
            ((named_capture<slot<A>> ? made.add(name_of_capture<slot<A>>()) : void()), ...);
            return made;
        }
        static pending run_named(const step* here, request& req, response& out) {
            const auto& self = *static_cast<const named_handler<F>*>(here->self);
            return call(self.handler, req, out, ordered_slot<slot<A>>(self.order)...);
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

/// Takes ownership of a handler. `route` is the pattern of the handler's route and must be valid.
template <class F>
erased erase_handler(F f, std::string_view route) {
    erased made;
    if constexpr (calls<F>::named > 0)
        made = own(named_handler<F>{std::move(f), order_captures(route, calls<F>::names())}, &calls<F>::run_named,
                   calls<F>::body());
    else made = own(std::move(f), &calls<F>::run, calls<F>::body());
    made.about = &calls<F>::about;
    made.needs = calls<F>::needs();
    return made;
}

}  // namespace apus::detail

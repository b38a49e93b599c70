// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/answers.hpp>

namespace apus::detail {

/// The type-erased function of `app::on_error` or `app::not_found`.
/// If `run` returns false, the client gets the problem document. `about->may_be_missing` says whether `run` can return
/// false.
struct error_form {
    void* self;
    bool (*run)(const void* self, request&, const error&, response& out);
    void (*destroy)(void* self);
    const output* about;
};

/// Converts the return value of an error handler to a response.
template <class R>
struct form_answer {
    static constexpr output about = answer<R>::about;
    static bool take(R&& made, response& out) { return answer<R>::put(out, std::move(made)), true; }
};
template <class R>
struct partial_form_answer {
    using value = typename R::value_type;
    static constexpr output about = maybe_missing(answer<value>::about);
    static bool take(R&& made, response& out) {
        return made && form_answer<value>::take(static_cast<value&&>(*made), out);
    }
};
template <class T>
struct form_answer<std::optional<T>> : partial_form_answer<std::optional<T>> {};
template <class T>
struct form_answer<result<T>> : partial_form_answer<result<T>> {};

template <class R>
inline constexpr bool is_form_answer = !std::is_void_v<R> && !std::is_reference_v<R>;
template <class T>
inline constexpr bool is_form_answer<task<T>> = false;

template <class F>
concept shapes_errors =
    requires(const F& f, request& req, const error& why) { requires is_form_answer<decltype(f(req, why))>; };
template <class F>
concept shapes_missing = requires(const F& f, request& req) { requires is_form_answer<decltype(f(req))>; };

template <class F, bool WithError>
struct form_calls {
    static decltype(auto) call(const F& f, request& req, const error& why) {
        if constexpr (WithError) return f(req, why);
        else return f(req);
    }
    using made = form_answer<decltype(call(std::declval<const F&>(), std::declval<request&>(), error(404, {})))>;

    static bool run(const void* self, request& req, const error& why, response& out) {
        return made::take(call(*static_cast<const F*>(self), req, why), out);
    }
    static error_form own(F f) {
        return {new F(std::move(f)), &run, [](void* self) { delete static_cast<F*>(self); }, &made::about};
    }
};

template <class F>
error_form erase_error_form(F f) {
    static_assert(shapes_errors<F>,
                  "app.on_error must be (request&, const error&) -> a struct, text, response, or an optional or result "
                  "of these, not a coroutine");
    if constexpr (shapes_errors<F>) return form_calls<F, true>::own(std::move(f));
    else return {};
}

template <class F>
error_form erase_missing_form(F f) {
    static_assert(shapes_errors<F> || shapes_missing<F>,
                  "app.not_found must be (request&) or (request&, const error&) -> a struct, text, response, or an "
                  "optional or result of these, not a coroutine");
    if constexpr (shapes_errors<F> || shapes_missing<F>) return form_calls<F, shapes_errors<F>>::own(std::move(f));
    else return {};
}

}  // namespace apus::detail

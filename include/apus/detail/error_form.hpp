// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/signature.hpp>
#include <apus/http.hpp>

#include <optional>

namespace apus::detail {

/// The type-erased function of `app::on_error` or `app::not_found`.
/// If `run` returns false, the client gets the problem document.
struct error_form {
    void* self;
    bool (*run)(const void* self, request&, const error&, response& out);
    void (*destroy)(void* self);
};

inline bool take_form(response&& made, response& out) { return out = std::move(made), true; }
inline bool take_form(std::optional<response>&& made, response& out) {
    return made && take_form(*std::move(made), out);
}
inline bool take_form(result<response>&& made, response& out) { return made && take_form(*std::move(made), out); }

template <class R>
concept form_answer =
    std::is_same_v<R, response> || std::is_same_v<R, std::optional<response>> || std::is_same_v<R, result<response>>;
template <class F>
concept shapes_errors = requires(const F& f, request& req, const error& why) {
    { f(req, why) } -> form_answer;
};
template <class F>
concept shapes_missing = requires(const F& f, request& req) {
    { f(req) } -> form_answer;
};

template <class F>
bool run_form(const void* self, request& req, const error& why, response& out) {
    const F& f = *static_cast<const F*>(self);
    if constexpr (shapes_errors<F>) return take_form(f(req, why), out);
    else return take_form(f(req), out);
}

template <class F>
error_form own_form(F f) {
    return {new F(std::move(f)), &run_form<F>, [](void* self) { delete static_cast<F*>(self); }};
}

template <class F>
error_form erase_error_form(F f) {
    static_assert(shapes_errors<F>,
                  "app.on_error must be (request&, const error&) -> response, optional<response> or "
                  "result<response>, not a coroutine");
    if constexpr (shapes_errors<F>) return own_form(std::move(f));
    else return {};
}

template <class F>
error_form erase_missing_form(F f) {
    static_assert(shapes_errors<F> || shapes_missing<F>,
                  "app.not_found must be (request&) or (request&, const error&) -> response, optional<response> or "
                  "result<response>, not a coroutine");
    if constexpr (shapes_errors<F> || shapes_missing<F>) return own_form(std::move(f));
    else return {};
}

}  // namespace apus::detail

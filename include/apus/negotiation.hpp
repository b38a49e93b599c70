// SPDX-License-Identifier: Apache-2.0
#pragma once

// One resource in several media types, selected by the client's preference.

#include <apus/detail/handler.hpp>
#include <apus/detail/literal.hpp>
#include <apus/http.hpp>

namespace apus {

namespace detail {

/// Whether a text is a media type with a subtype, with or without parameters.
constexpr bool is_media_type(std::string_view text) noexcept {
    const auto slash = text.find('/');
    if (slash == 0 || slash == text.npos || slash + 1 == text.size()) return false;
    for (const char c : text)
        if (c <= ' ' || c > '~' || c == ',' || c == '*' || c == '"') return false;
    return true;
}

/// Returns the index of the preferred type.
/// If no type is acceptable, writes a 406 to `out` and returns `count`.
std::size_t choose_type(const request&, const std::string_view* types, std::size_t count, response& out);

/// Sets Content-Type.
/// No effect on an error, or on a response that has the same type with parameters.
void label(response& out, std::string_view type);

/// Adds `Vary: Accept`, unless it is already set.
void vary_by_accept(response& out);

}  // namespace detail

/// A media type, and a function that creates the representation. Returned by `offer`.
template <class F>
struct offered_representation {
    std::string_view type;
    F make;
};

/// Offers a representation with this media type: `offer<"text/html">([&] { return page(todo); })`.
/// The function may return any type that a handler may return, except a task: await its data before you call `choose`.
/// Content-Type is this type, with `charset=utf-8` for `text/`. A returned `response` keeps its own type.
template <detail::literal Type, class F>
offered_representation<F> offer(F make) {
    static_assert(detail::is_media_type(Type.view()),
                  "a media type must be a type and a subtype, such as text/html, without spaces, asterisks or quotes");
    static_assert(std::is_invocable_v<const F&>,
                  "the function of a representation must take no arguments, and must "
                  "not be mutable");
    return {Type.view(), std::move(make)};
}

/// The client's preferred representation (RFC 9110, 12.5.1), as a handler's parameter, by value.
class negotiation {
public:
    explicit negotiation(const request& of) noexcept : of_(&of) {}

    /// Creates the offered representation with the greatest weight in `Accept`.
    /// Among equal weights, and without a valid Accept field, creates the first representation. Creates no other
    /// representation. If no type is acceptable, returns a 406 with the available types. All responses have `Vary:
    /// Accept`.
    template <class... F>
    response choose(const offered_representation<F>&... offered) const {
        static_assert(sizeof...(F) > 0, "at least one representation is required");
        const std::string_view types[] = {offered.type..., {}};
        response out;
        const std::size_t best = detail::choose_type(*of_, types, sizeof...(F), out);
        std::size_t number = 0;
        ((number++ == best ? put(offered, out) : void()), ...);
        detail::vary_by_accept(out);
        return out;
    }

private:
    template <class F>
    static void put(const offered_representation<F>& chosen, response& out) {
        using made = std::remove_cvref_t<decltype(chosen.make())>;
        static_assert(!detail::is_task<made>,
                      "the function of apus::offer must not be a coroutine: co_await its data before calling choose()");
        static_assert(!std::is_void_v<made>, "the function of a representation must return the representation");
        if constexpr (!detail::is_task<made> && !std::is_void_v<made>) {
            detail::answer<made>::put(out, chosen.make());
            if constexpr (!std::is_same_v<made, response>) detail::label(out, chosen.type);
        }
    }

    const request* of_;
};

}  // namespace apus

namespace apus::detail {

template <>
struct slot<negotiation> {
    static constexpr unsigned captures = 0;
    static constexpr body_use body = body_use::ignored;
    static constexpr bool sees_request = false;
    const request* of = nullptr;
    bool fill(request& req, unsigned&, response&) noexcept { return of = &req, true; }
    negotiation give() const noexcept { return negotiation(*of); }
};

}  // namespace apus::detail

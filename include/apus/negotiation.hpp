// SPDX-License-Identifier: Apache-2.0
#pragma once

// One resource in several media types, of which the client gets the one that it likes best.

#include <apus/detail/handler.hpp>
#include <apus/detail/literal.hpp>
#include <apus/http.hpp>

namespace apus {

namespace detail {

/// Whether a text is a type and a subtype, with or without parameters.
constexpr bool is_media_type(std::string_view text) noexcept {
    const auto slash = text.find('/');
    if (slash == 0 || slash == text.npos || slash + 1 == text.size()) return false;
    for (const char c : text)
        if (c <= ' ' || c > '~' || c == ',' || c == '*' || c == '"') return false;
    return true;
}

/// The number of the type that the client likes best; or `count`, and then there is a 406 in `out`.
std::size_t choose_type(const request&, const std::string_view* types, std::size_t count, response& out);

/// Says of an answer that it is of this type, unless it is of the same with parameters, or an error.
void label(response& out, std::string_view type);

/// `Vary: Accept`, once.
void vary_by_accept(response& out);

}  // namespace detail

/// A media type, and a function that gives the resource in it. Made by `as`.
template <class F>
struct representation {
    std::string_view type;
    F make;
};

/// `as<"text/html">([&] { return page(todo); })`: what the function returns is shown as this media type.
/// It may be whatever a handler returns, except a task: what must be waited for is awaited before. Texts
/// get the type that is named, with `charset=utf-8` for `text/`; a `response` keeps its own.
template <detail::literal Type, class F>
representation<F> as(F make) {
    static_assert(detail::is_media_type(Type.view()),
                  "a media type is a type and a subtype, such as text/html, without spaces, stars and quotes");
    static_assert(std::is_invocable_v<const F&>, "the function of a representation takes nothing, and is not mutable");
    return {Type.view(), std::move(make)};
}

/// Which representation a client wants (RFC 9110, 12.5.1), as a handler's parameter, by value.
class negotiation {
public:
    explicit negotiation(const request& of) noexcept : of_(&of) {}

    /// Makes the representation that has the greatest weight in `Accept`, and among those of the same
    /// weight the one that stands first here; the first one too if the request has no such field, or
    /// none that can be read. The others are not made. If all are refused the answer is 406, and names
    /// what there is. All of these answers have `Vary: Accept`.
    template <class... F>
    response choose(const representation<F>&... offered) const {
        static_assert(sizeof...(F) > 0, "there is at least one representation to choose from");
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
    static void put(const representation<F>& chosen, response& out) {
        using made = std::remove_cvref_t<decltype(chosen.make())>;
        static_assert(!detail::is_task<made>,
                      "a representation is made without waiting: co_await what it needs before choosing");
        static_assert(!std::is_void_v<made>, "the function of a representation returns it");
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

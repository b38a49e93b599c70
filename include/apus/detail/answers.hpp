// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/chain.hpp>
#include <apus/detail/operation.hpp>
#include <apus/detail/signature.hpp>
#include <apus/http.hpp>

#include <optional>

namespace apus::detail {

/// Writes a response to `out`, which must be a default-constructed response.
void put_literal(response& out, std::string_view text) noexcept;  ///< The text is not copied.
void put_copy(response& out, std::string_view text);
void put_text(response& out, std::string&& text);
void put_missing(response& out);  ///< 404, as a problem document.

/// Converts a handler's return value to a response.
/// Other headers specialize this template for their types. `may_stream`: after the handler has returned, the response
/// body may still be written and the request body read. `about`: a description of the response.
template <class T>
struct answer {
    static_assert(
        none_of_these<T>,
        "a handler must return text, response, no_content, optional<T>, result<T>, created<T>, with_status<N>(T), a "
        "variant of these, nothing, or a task of these; with <apus/json.hpp> also a struct, a list or a map");
    static constexpr bool may_stream = false;
    static constexpr output about{};
    static void put(response&, const T&) {}
};

struct short_answer {
    static constexpr bool may_stream = false;
    static constexpr output about{};
};
struct text_answer : short_answer {
    static constexpr output about{content::text};
};
struct empty_answer : short_answer {
    static constexpr output about{content::nothing, 204};
};

template <>
struct answer<apus::literal> : text_answer {
    static void put(response& out, apus::literal text) noexcept { put_literal(out, text); }
};
template <>
struct answer<const char*> : text_answer {
    static void put(response& out, const char* text) { put_copy(out, text); }
};
template <>
struct answer<std::string_view> : text_answer {
    static void put(response& out, std::string_view text) { put_copy(out, text); }
};
template <>
struct answer<std::string> : text_answer {
    static void put(response& out, std::string&& text) { put_text(out, std::move(text)); }
};
template <>
struct answer<no_content> : empty_answer {
    static void put(response& out, no_content) noexcept { out.status(204); }
};
template <>
struct answer<void> : empty_answer {};
template <>
struct answer<response> {
    static constexpr bool may_stream = true;
    static constexpr output about{content::any};
    static void put(response& out, response&& res) noexcept { out = std::move(res); }
};

/// Types that determine the status themselves, so that `created` and `reply` cannot hold them.
template <class T>
inline constexpr bool has_own_status = std::is_same_v<T, response>;
template <class T>
inline constexpr bool has_own_status<std::optional<T>> = true;
template <class T>
inline constexpr bool has_own_status<result<T>> = true;
template <class T>
inline constexpr bool has_own_status<created<T>> = true;
template <class T, int Status>
inline constexpr bool has_own_status<reply<T, Status>> = true;

template <class Reply>
inline constexpr short status_of = Reply::status;
template <class T>
inline constexpr short status_of<reply<T>> = any_status;

template <class Reply, class T>
struct reply_answer : answer<T> {
    static_assert(!has_own_status<T>,
                  "created<T> and with_status<N>(T) must hold the body itself: optional<created<T>>, not "
                  "created<optional<T>>");
    static constexpr output about = with_status(answer<T>::about, status_of<Reply>);
    static void put(response& out, Reply&& made) {
        answer<T>::put(out, std::move(made.value));
        out.status(made.status);
        out.append_field_lines(made.field_lines);
    }
};
template <class T>
struct answer<created<T>> : reply_answer<created<T>, T> {};
template <class T, int Status>
struct answer<reply<T, Status>> : reply_answer<reply<T, Status>, T> {};

template <class A>
inline constexpr bool is_reply =
    has_own_status<A> || std::is_same_v<A, no_content> || std::is_convertible_v<A, std::string_view>;

/// A variant of return types, at least one of which is not plain JSON.
/// The user includes <variant>.
template <template <class...> class V, class... A>
    requires((is_reply<A> || ...) && requires(const V<A...>& v) { v.valueless_by_exception(); })
struct answer<V<A...>> {
    static constexpr bool may_stream = (answer<A>::may_stream || ...);
    static constexpr const output* alternatives[] = {&answer<A>::about...};
    static constexpr output about = one_of_several(alternatives, sizeof...(A));
    static void put(response& out, V<A...>&& made) { put_held(out, made, std::index_sequence_for<A...>()); }

private:
    template <std::size_t I>
    static void put_one(response& out, V<A...>& made) {
        if (made.index() != I) return;
        auto& held = *get_if<I>(&made);
        answer<std::remove_reference_t<decltype(held)>>::put(out, std::move(held));
    }
    template <std::size_t... I>
    static void put_held(response& out, V<A...>& made, std::index_sequence<I...>) {
        (put_one<I>(out, made), ...);
    }
};
template <class T>
struct answer<std::optional<T>> : answer<T> {
    static constexpr output about = maybe_missing(answer<T>::about);
    static void put(response& out, std::optional<T>&& found) {
        if (found) answer<T>::put(out, *std::move(found));
        else put_missing(out);
    }
};
template <class T>
struct answer<result<T>> : answer<T> {
    static void put(response& out, result<T>&& made) {
        if (!made) refuse(std::move(made.error()), out);
        else if constexpr (std::is_void_v<T>) out.status(204);
        else answer<T>::put(out, *std::move(made));
    }
};

/// A task is converted like its value. The caller runs a coroutine that waits for the task.
template <class T>
struct answer<task<T>> : answer<T> {};

}  // namespace apus::detail

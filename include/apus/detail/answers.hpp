// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/chain.hpp>
#include <apus/detail/operation.hpp>
#include <apus/detail/signature.hpp>
#include <apus/http.hpp>

#include <optional>

namespace apus::detail {

/// Put an answer into `out`, which is a response that nobody has touched.
void put_literal(response& out, std::string_view text) noexcept;  ///< Not copied.
void put_copy(response& out, std::string_view text);
void put_text(response& out, std::string&& text);
void put_missing(response& out);  ///< 404, as a problem document.

/// How the value that a handler gives becomes a response. Other headers specialize it for their
/// types. `may_stream`: the response may hold a body that is written, and the request's read, later.
/// `about` describes it.
template <class T>
struct answer {
    static_assert(
        none_of_these<T>,
        "a handler returns text, response, none, optional<T>, result<T>, created<T>, nothing, or a task of these; "
        "with <apus/json.hpp> also a struct, a list or a map");
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
struct answer<const char*> : text_answer {
    static void put(response& out, const char* text) noexcept { put_literal(out, text); }
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
struct answer<none> : empty_answer {
    static void put(response& out, none) noexcept { out.status(204); }
};
template <>
struct answer<void> : empty_answer {};
template <>
struct answer<response> {
    static constexpr bool may_stream = true;
    static constexpr output about{content::any};
    static void put(response& out, response&& res) noexcept { out = std::move(res); }
};

template <class T>
struct answer<created<T>> : answer<T> {
    static constexpr output about = with_status(answer<T>::about, 201);
    static void put(response& out, created<T>&& made) {
        answer<T>::put(out, std::move(made.value));
        out.status(201);
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
        if (!made) refuse(made.error(), out);
        else if constexpr (std::is_void_v<T>) out.status(204);
        else answer<T>::put(out, *std::move(made));
    }
};

/// The answer of a task is that of its value; a coroutine gives it.
template <class T>
struct answer<task<T>> : answer<T> {};

}  // namespace apus::detail

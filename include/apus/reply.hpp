// SPDX-License-Identifier: Apache-2.0
#pragma once

// Return values of handlers with a status and header fields. <apus/http.hpp> includes this header.

#include <apus/detail/url_pattern.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace apus {

/// A response without a body: 204, unless `reply` has another status.
struct no_content {};

namespace detail {

/// Adds a field line. Throws like `response::header`.
void append_field_line(std::string& lines, std::string_view name, std::string_view value);

/// Checks a status and the type of its body.
template <int Status, class T>
constexpr void check_reply() {
    static_assert(Status >= 200 && Status <= 599, "the status of a response must be from 200 to 599");
    static_assert(std::is_same_v<T, no_content> || (Status != 204 && Status != 205 && Status != 304),
                  "204, 205 and 304 have no body: return apus::with_status<204>()");
}

/// A value with header fields. `Self` is the derived public type, with a member `status`.
template <class Self, class T>
class reply_base {
public:
    T value;

    /// Adds a field. Throws like `response::header`.
    Self& header(std::string_view name, std::string_view content) & {
        append_field_line(field_lines, name, content);
        return static_cast<Self&>(*this);
    }
    Self&& header(std::string_view name, std::string_view content) && { return std::move(header(name, content)); }

    /// Sets Location: the URL of the created or related resource.
    Self& at(std::string_view url) & { return header("location", url); }
    Self&& at(std::string_view url) && { return std::move(at(url)); }
    /// Sets Location from a URL pattern with values to encode: `.at("/files/{name}", name)`.
    /// Pattern and errors: `make_url` (url.hpp).
    template <class... Values>
        requires(sizeof...(Values) > 0)
    Self& at(url_pattern<sizeof...(Values)> pattern, const Values&... values) & {
        return at(fill_url(pattern.text, {url_value(values)...}));
    }
    template <class... Values>
        requires(sizeof...(Values) > 0)
    Self&& at(url_pattern<sizeof...(Values)> pattern, const Values&... values) && {
        return std::move(at(pattern, values...));
    }

    std::string field_lines;  // used by the server

protected:
    reply_base(T of) : value(std::move(of)) {}
    reply_base(T of, std::string&& lines) : value(std::move(of)), field_lines(std::move(lines)) {}
};

}  // namespace detail

/// A 201, with the new resource as its body: `return apus::created(todo).at("/todos/7");`
template <class T>
class created : public detail::reply_base<created<T>, T> {
public:
    static constexpr int status = 201;

    created(T of) : detail::reply_base<created, T>(std::move(of)) {}
};
template <class T>
created(T) -> created<T>;

/// A value with a status, returned by `with_status`.
/// API descriptions (openapi.hpp) include both. The status of `reply<T, 202>` is 202; the status of `reply<T>` is known
/// only at run time.
template <class T = no_content, int Status = 0>
class reply : public detail::reply_base<reply<T, Status>, T> {
public:
    static constexpr int status = Status;

    reply(T of) : detail::reply_base<reply, T>(std::move(of)) { detail::check_reply<Status, T>(); }
};

/// A value with a status known at run time, from 200 to 599.
/// For any other status, the client gets 500. With 204, 205 and 304, the body is not sent. API descriptions contain the
/// type as the default response.
template <class T>
class reply<T, 0> : public detail::reply_base<reply<T>, T> {
public:
    int status = 200;

    reply(T of) : detail::reply_base<reply, T>(std::move(of)) {}
    reply(int code, T of) : detail::reply_base<reply, T>(std::move(of)), status(code) {}
    template <int Status>
    reply(reply<T, Status> of)
        : detail::reply_base<reply, T>(std::move(of.value), std::move(of.field_lines)), status(Status) {}
    reply(created<T> of) : detail::reply_base<reply, T>(std::move(of.value), std::move(of.field_lines)), status(201) {}
};

/// Returns a value with a status.
/// Example: `return apus::with_status<202>(job).at("/jobs/7").header("retry-after", "5");`
template <int Status, class T>
reply<T, Status> with_status(T value) {
    return {std::move(value)};
}
/// Returns a response without a body, with a status: `with_status<202>()`.
template <int Status>
reply<no_content, Status> with_status() {
    return {no_content()};
}
/// Returns a value with a status known at run time, from 200 to 599: `with_status(code, job)`.
template <class T>
reply<T> with_status(int status, T value) {
    return {status, std::move(value)};
}
/// Returns a response without a body, with a status known at run time.
inline reply<> with_status(int status) { return {status, no_content()}; }

}  // namespace apus

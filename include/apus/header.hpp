// SPDX-License-Identifier: Apache-2.0
#pragma once

// One header field or cookie of a request as a handler parameter. Types: schema.hpp; types with
// rules: rules.hpp.

#include <apus/detail/field_values.hpp>
#include <apus/detail/held_value.hpp>
#include <apus/schema.hpp>

namespace apus {

/// A header field (RFC 9110, 5) as a handler parameter: `header<"x-request-id", text<1, 64>>`.
/// The handler runs only with a valid value. If the field is missing or invalid, the client gets 400 with the name of
/// the field. T is a bool, number, std::string, time, enumeration, a rule on one of these, or an optional of these.
/// With an optional, the field may be missing, but must be valid if it is sent. Texts are UTF-8.
///
/// Names are case-insensitive. Several field lines with one name are one value, joined by ", " in the order sent (RFC
/// 9110, 5.3). So a repeated field is usually invalid ("7, 8" is not a number), except for a text whose rule accepts
/// the joined value. An invalid name does not compile.
template <detail::literal Name, class T = std::string>
struct header : detail::held_value<T> {
    static_assert(
        detail::is_token(Name.view()),
        "the name of a header field must be a token: letters, digits and marks such as '-', but no space and no colon");
    static_assert(!detail::is_word(Name.view(), "cookie"), "take cookies as cookie<\"name\", T>");
};

/// A request cookie as a handler parameter: `cookie<"theme", one_of<"light", "dark">>`.
/// Like `header`, with these differences. Names are case-sensitive. If several cookies have the name, the first one is
/// used, because browsers send the cookie with the longest path first. The value is client input, as sent: it is not
/// decoded, and includes quotes.
template <detail::literal Name, class T = std::string>
struct cookie : detail::held_value<T> {
    static_assert(detail::is_token(Name.view()),
                  "the name of a cookie must be a token: letters, digits and marks such as '-', but no space, ';' "
                  "and '='");
};

template <detail::literal Name, class T>
struct detail::slot<header<Name, T>> : detail::field_slot<header<Name, T>, T, detail::read_header> {
    static constexpr input about{source::header, &single_table<T>(), Name.view()};
};

template <detail::literal Name, class T>
struct detail::slot<cookie<Name, T>> : detail::field_slot<cookie<Name, T>, T, detail::read_cookie> {
    static constexpr input about{source::cookie, &single_table<T>(), Name.view()};
};

}  // namespace apus

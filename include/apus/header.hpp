// SPDX-License-Identifier: Apache-2.0
#pragma once

// One header field or one cookie of a request as a handler's parameter. What a value may be is in
// schema.hpp, types with rules are in rules.hpp.

#include <apus/detail/field_values.hpp>
#include <apus/detail/held_value.hpp>
#include <apus/schema.hpp>

namespace apus {

/// A header field of the request (RFC 9110, 5) as a handler's parameter: `header<"x-request-id",
/// text<1, 64>>`. The handler runs only with a value that is all of what T asks for; 400 with a
/// sentence that names the field where it was not sent or is something else. T is a bool, number,
/// std::string, time, enumeration, or a rule on one of these; of an optional one the field need not
/// be sent, but must be right if it was. Texts are UTF-8.
///
/// Names are compared in any case. Several lines of one name are one value, joined by ", " in the
/// order sent (RFC 9110, 5.3): so two where one is expected are mostly refused, as "7, 8" is no
/// number; a rule on a text has the last word there. A name that is no token does not compile.
template <detail::literal Name, class T = std::string>
struct header : detail::held_value<T> {
    static_assert(
        detail::is_token(Name.view()),
        "the name of a header field is a token: letters, digits and marks such as '-', but no space and no colon");
    static_assert(!detail::is_word(Name.view(), "cookie"),
                  "a header field of cookies is taken apart by cookie<\"name\", T>");
};

/// A cookie of the request as a handler's parameter: `cookie<"theme", one_of<"light", "dark">>`. As
/// `header` in all but this: names are compared exactly, and of several cookies of one name the
/// first one counts, since browsers send that of the longest path first. The value is as sent:
/// quotes are a part of it, and nothing is decoded. It is whatever a client likes.
template <detail::literal Name, class T = std::string>
struct cookie : detail::held_value<T> {
    static_assert(detail::is_token(Name.view()),
                  "the name of a cookie is a token: letters, digits and marks such as '-', but no space, ';' and '='");
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

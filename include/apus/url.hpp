// SPDX-License-Identifier: Apache-2.0
#pragma once

// URLs and paths from patterns and values, for Location fields, links and requests to other servers.

#include <apus/detail/url_pattern.hpp>

namespace apus {

/// Returns a URL from a pattern and a value for each of its placeholders.
/// Values are percent-encoded (RFC 3986). `make_url("/files/{name}", "a/b c")` is "/files/a%2Fb%20c".
///
/// A pattern is a literal that is written like a route; the names of its placeholders are only for readers. It may
/// begin with http:// or https:// and a host, or with a placeholder for the beginning of a URL, whose value is not
/// encoded: "{upstream}/cities/{city}". `{path...}` at the end of the path keeps the slashes of its value. After `?`, a
/// value may be any text: "/search?q={text}&page={n}"; `?{...}` takes a struct: `apus::query(found)` (query.hpp). An
/// invalid pattern is a compile error, as is a number of values that differs from the number of placeholders.
///
/// Values are texts, integers, bools, and `query<T>`. Throws `std::invalid_argument` if a path segment with a value
/// would be empty, "." or "..": routes do not match such segments, and browsers remove them. Also throws if the value
/// of the placeholder at the beginning does not start with http:// or https:// and a host.
template <class... Values>
std::string make_url(detail::url_pattern<sizeof...(Values)> pattern, const Values&... values) {
    return detail::fill_url(pattern.text, {detail::url_value(values)...});
}

}  // namespace apus

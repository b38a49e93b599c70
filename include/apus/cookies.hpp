// SPDX-License-Identifier: Apache-2.0
#pragma once

// Cookies as they are (draft-ietf-httpbis-rfc6265bis). State that a client must not read or change
// belongs into sessions.hpp.

#include <apus/duration.hpp>
#include <apus/http.hpp>

#include <optional>

namespace apus {

/// Whether a browser sends a cookie with requests that other sites cause.
enum class same_site : std::uint8_t {
    lax,     ///< Only when the user follows a link.
    strict,  ///< Never.
    none     ///< Always. Needs `secure`.
};

/// The attributes of a cookie; the defaults are the safe ones.
struct cookie_options {
    /// The cookie is sent for paths below it. Empty: the folder of the request's.
    std::string_view path = "/";
    std::string_view domain = {};  ///< Empty: this host only. Else that domain with all its hosts.
    /// None: until the browser ends. Rounded down to seconds; browsers keep none over 400 days.
    std::optional<duration> max_age = {};
    bool secure = true;               ///< Sent by https only. Most browsers take http://localhost for secure.
    bool http_only = true;            ///< Hidden from scripts.
    same_site site = same_site::lax;  ///< Sent to every site, to this one by links, or only from it.
    bool partitioned = false;         ///< One for each site that embeds this one. Needs `secure`.
};

/// The value of the first cookie of this name, as sent, or nothing. Names are compared exactly. It
/// is whatever a client likes. Valid as long as the request.
std::optional<std::string_view> find_cookie(const request&, std::string_view name) noexcept;

/// Adds a Set-Cookie field. Throws `std::invalid_argument`, which says why, for a cookie that a
/// browser would drop or take for another: a name that is no token; a value with bytes that a cookie
/// must not hold, which are to be encoded first; over 4096 bytes; a `__Host-` or `__Secure-` name,
/// `none` or `partitioned` without what these ask for.
void set_cookie(response&, std::string_view name, std::string_view value, const cookie_options& = {});

/// Tells the browser to forget a cookie. Path and domain must be those it was set with.
void expire_cookie(response&, std::string_view name, const cookie_options& = {});

}  // namespace apus

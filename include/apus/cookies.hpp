// SPDX-License-Identifier: Apache-2.0
#pragma once

// Plain cookies (draft-ietf-httpbis-rfc6265bis). For state that a client must not read or change, use
// sessions.hpp.

#include <apus/duration.hpp>
#include <apus/http.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace apus {

/// When a browser sends a cookie with requests that other sites cause (SameSite).
enum class same_site : std::uint8_t {
    lax,     ///< Only for top-level GET navigation, such as following a link.
    strict,  ///< Never.
    none     ///< Always. Needs `secure`.
};

/// Attributes of a cookie. The defaults are the safe values.
struct cookie_options {
    /// The browser sends the cookie for this path and paths below it.
    /// Empty: the directory of the request's path.
    std::string_view path = "/";
    std::string_view domain = {};  ///< Empty: this host only. Otherwise this domain and its subdomains.
    /// Empty: until the browser session ends.
    /// Rounded down to seconds; browsers keep cookies at most 400 days.
    std::optional<duration> max_age = {};
    bool secure = true;               ///< Sent over https only. Most browsers treat http://localhost as secure.
    bool http_only = true;            ///< Hidden from scripts.
    same_site site = same_site::lax;  ///< See `same_site`.
    bool partitioned = false;         ///< A separate cookie for each top-level site (CHIPS). Needs `secure`.
};

/// Returns the value of the first cookie of this name, as sent; empty if absent.
/// Names are case-sensitive. The value is client input. Valid as long as the request.
std::optional<std::string_view> find_cookie(const request&, std::string_view name) noexcept;

/// Returns the value of a Set-Cookie field, for any type of response.
/// Example: `return apus::created(order).header("set-cookie", apus::make_cookie("cart", id));`
/// Throws `std::invalid_argument` for a cookie that a browser would drop or misread: a name that is not a token; a
/// value with bytes that need encoding; a name and value of over 4096 bytes together; a `__Host-` or `__Secure-` name,
/// `none` or `partitioned` without their required attributes.
std::string make_cookie(std::string_view name, std::string_view value, const cookie_options& = {});

/// Returns the value of a Set-Cookie field that deletes a cookie in the browser.
/// Path and domain must be those with which it was set. Throws like `make_cookie`.
std::string make_expired_cookie(std::string_view name, const cookie_options& = {});

/// Adds a Set-Cookie field. Throws like `make_cookie`.
void set_cookie(response&, std::string_view name, std::string_view value, const cookie_options& = {});

/// Deletes a cookie in the browser, like `make_expired_cookie`.
void expire_cookie(response&, std::string_view name, const cookie_options& = {});

}  // namespace apus

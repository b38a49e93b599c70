// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

// Cookies according to draft-ietf-httpbis-rfc6265bis.

namespace apus::codec::fields {

struct cookie_pair {
    std::string_view name;
    std::string_view value;  ///< As sent, including surrounding quotes.
};

/// Removes the next cookie from the front of a Cookie field and returns it.
/// Skips items without a name or '=', which browsers may send.
std::optional<cookie_pair> next_cookie(std::string_view& rest) noexcept;

/// Contents of a Set-Cookie field.
struct set_cookie {
    std::string_view name, value;
    std::string_view path = "/";               ///< Empty: the directory of the request's path.
    std::string_view domain = {};              ///< Empty: this host only.
    std::string_view same_site = {};           ///< "Lax", "Strict", "None", or empty.
    std::optional<std::int64_t> max_age = {};  ///< In seconds. Empty: until the browser session ends.
    bool secure = false, http_only = false, partitioned = false;
};

/// Returns why a browser would drop or misinterpret the cookie; null if it is valid.
const char* fault_in(const set_cookie&) noexcept;

/// Returns the maximum number of bytes that `write` needs.
std::size_t room_for(const set_cookie&) noexcept;

/// Writes the field's value to `to` and returns its end. The cookie must be valid.
char* write(const set_cookie&, char* to) noexcept;

}  // namespace apus::codec::fields

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

// Cookies by draft-ietf-httpbis-rfc6265bis.

namespace apus::codec::fields {

struct cookie_pair {
    std::string_view name;
    std::string_view value;  ///< As sent: quotes around it are a part of it.
};

/// Takes the next cookie off the front of a Cookie field's value. What has no '=', or no name in
/// front of it, is skipped: browsers send whatever some site has stored.
std::optional<cookie_pair> next_cookie(std::string_view& rest) noexcept;

/// What a Set-Cookie field says.
struct set_cookie {
    std::string_view name, value;
    std::string_view path = "/";               ///< Empty: the folder of the request's path.
    std::string_view domain = {};              ///< Empty: this host only.
    std::string_view same_site = {};           ///< "Lax", "Strict", "None", or empty.
    std::optional<std::int64_t> max_age = {};  ///< In seconds. None: until the browser ends.
    bool secure = false, http_only = false, partitioned = false;
};

/// Why a browser would drop the cookie, or take it for another than was meant; null if it is good.
const char* fault_in(const set_cookie&) noexcept;

/// Bytes that `write` needs at most.
std::size_t room_for(const set_cookie&) noexcept;

/// Writes the field's value to `to` and gives its end. Only for a cookie without a fault.
char* write(const set_cookie&, char* to) noexcept;

}  // namespace apus::codec::fields

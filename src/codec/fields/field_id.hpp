// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace apus::codec::fields {

/// Number of a known field name, so that field names can be compared without comparing texts.
/// Valid for all HTTP versions. A value up to 61 is the first index of the name in the static table of HPACK (RFC 7541,
/// appendix A).
enum class field_id : std::uint8_t {
    unknown = 0,
    authority = 1,
    method = 2,
    path = 4,
    scheme = 6,
    status = 8,
    accept_charset = 15,
    accept_encoding,
    accept_language,
    accept_ranges,
    accept,
    access_control_allow_origin,
    age,
    allow,
    authorization,
    cache_control,
    content_disposition,
    content_encoding,
    content_language,
    content_length,
    content_location,
    content_range,
    content_type,
    cookie,
    date,
    etag,
    expect,
    expires,
    from,
    host,
    if_match,
    if_modified_since,
    if_none_match,
    if_range,
    if_unmodified_since,
    last_modified,
    link,
    location,
    max_forwards,
    proxy_authenticate,
    proxy_authorization,
    range,
    referer,
    refresh,
    retry_after,
    server,
    set_cookie,
    strict_transport_security,
    transfer_encoding,
    user_agent,
    vary,
    via,
    www_authenticate,
    protocol,  ///< ":protocol" (RFC 8441, 4).
    connection,
    keep_alive,
    proxy_connection,
    te,
    trailer,
    upgrade,
    origin,
    priority,
    forwarded,
    x_forwarded_for,
    x_forwarded_host,
    x_forwarded_proto,
    x_request_id,
    upgrade_insecure_requests,
};

/// Returns the name in lower case; empty for `unknown` and for unused numbers.
std::string_view text_of(field_id) noexcept;

/// Returns the number of a lower-case name.
/// Returns `unknown` for other names and for names with upper-case letters.
field_id find_field_id(std::string_view name) noexcept;

/// Returns true for pseudo-header fields (RFC 9113, 8.3; RFC 8441, 4).
constexpr bool is_pseudo(field_id id) noexcept {
    return (id != field_id::unknown && id <= field_id::status) || id == field_id::protocol;
}

}  // namespace apus::codec::fields

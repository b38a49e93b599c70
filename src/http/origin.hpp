// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/http.hpp>

#include <string_view>

namespace apus::http {

/// Returns true if a text is an origin as browsers serialize it (RFC 6454, 6.2).
/// An origin is a scheme, "://", a lower-case host, and the port unless it is the scheme's default. "null" is not
/// accepted.
bool is_origin(std::string_view text) noexcept;

/// Returns true if an origin has the scheme, host and port of the request.
/// `client_of` determines scheme, host and port of the request. For plain-text requests without information from a
/// trusted proxy, https is accepted too.
bool is_own_origin(request&, std::string_view origin);

/// Returns the host that the client requested.
/// This is `client_info::host` if middleware has set it, otherwise the host of the request. Valid as long as the
/// request.
std::string_view requested_host(request&) noexcept;

}  // namespace apus::http

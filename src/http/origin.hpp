// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/http.hpp>

#include <string_view>

namespace apus::http {

/// Whether a text is an origin as browsers spell it (RFC 6454, 6.2): a scheme, "://", a host in small
/// letters, and a port only if it is not that of the scheme. Not "null".
bool is_origin(std::string_view text) noexcept;

/// Whether it is the origin that this request was sent to: its scheme, host and port, as `client_of` has
/// them. For a request in clear text, of which no trusted proxy has told more, https counts too.
bool is_own_origin(request&, std::string_view origin);

/// Host that the client asked for: `client_info::host` where middleware has set it, else that of the request. Valid as
/// long as the request.
std::string_view requested_host(request&) noexcept;

}  // namespace apus::http

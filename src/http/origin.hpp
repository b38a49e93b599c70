// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/http.hpp>

#include <string_view>

namespace apus::http {

/// Whether a text is an origin as browsers spell it (RFC 6454, 6.2): a scheme, "://", a host in small
/// letters, and a port only if it is not that of the scheme. Not "null".
bool is_origin(std::string_view text) noexcept;

/// Whether it is the origin that this request was sent to: its host and port and, where a trusted
/// proxy has said it (client_info.hpp), its scheme.
bool is_own_origin(request&, std::string_view origin);

}  // namespace apus::http

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::middleware {

/// Whether a text is an origin as browsers spell it (RFC 6454, 6.2): a scheme, "://", a host in small
/// letters, and a port only if it is not that of the scheme. Not "null".
bool is_origin(std::string_view text) noexcept;

}  // namespace apus::middleware

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ascii_scan.hpp"

#include <cstdint>
#include <string_view>

namespace apus::codec::http1 {

enum class host_shape : std::uint8_t {
    malformed,
    empty,
    without_port,
    with_port
};

/// Returns the shape of `text` as `uri-host [ ":" port ]` (RFC 9110, 7.2; RFC 3986, 3.2.2).
/// Stricter than the grammar: no comma, no port above 65,535, no port after an empty host. A colon without digits
/// counts as `without_port`. `text` must be inside `around`, whose bytes must be readable.
host_shape shape_of_host(std::string_view text, base::readable around) noexcept;

/// Returns a host without its port, if any.
/// Colons within brackets belong to an IPv6 address. `host` may be any text.
std::string_view without_port(std::string_view host) noexcept;

/// Returns true for an IPv6 address without brackets and zone (RFC 3986, 3.2.2).
bool is_ipv6(std::string_view text) noexcept;

/// Returns whether a host without a port is `localhost`, a subdomain of it, or an IP address.
/// A site cannot make such a host resolve to another address (DNS rebinding).
bool is_local_host(std::string_view host) noexcept;

}  // namespace apus::codec::http1

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <string_view>

// Client addresses reported by proxies: Forwarded (RFC 7239) and X-Forwarded-For.

namespace apus::codec::fields {

inline constexpr refusal bad_forwarded{400, "malformed Forwarded header"};

/// One element of a Forwarded field, added by one proxy. Absent members are empty.
struct forwarded_element {
    std::string_view from;  ///< The parameter `for`, without quotes.
    std::string_view host;
    std::string_view proto;
};

/// Parses the first element of a list, including the comma after it.
/// The outcome is never `partial`. The parameter names of RFC 7239, 4, are case-insensitive. Other parameters are
/// checked and ignored. Quoted values with a backslash, and duplicate parameters, are rejected, because proxies do not
/// send them.
parsed<forwarded_element> read_forwarded(std::string_view list) noexcept;

/// Returns the address in a node of Forwarded or X-Forwarded-For, without brackets and port.
/// Accepts "192.0.2.1:80", "[2001:db8::1]:80", "2001:db8::1" and "unix:"; returns an empty view for other forms, such
/// as "unknown" and "_hidden". Does not validate the address.
std::string_view address_in_node(std::string_view node) noexcept;

}  // namespace apus::codec::fields

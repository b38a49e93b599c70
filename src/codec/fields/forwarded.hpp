// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <string_view>

// What proxies say of those they forward for: Forwarded (RFC 7239), and X-Forwarded-For.

namespace apus::codec::fields {

inline constexpr refusal bad_forwarded{400, "the Forwarded field breaks its grammar"};

/// One element of a Forwarded field: what one proxy has said. Empty where it has not.
struct forwarded_element {
    std::string_view from;  ///< Its `for` parameter, without quotes.
    std::string_view host;
    std::string_view proto;
};

/// Reads the first element of a list, up to and with its comma. Never partial. Names are those of
/// RFC 7239, 4, in any case; others are checked and passed over. Quoted values that hold a
/// backslash, and parameters that stand twice, are refused: no proxy has a use for them.
parsed<forwarded_element> read_forwarded(std::string_view list) noexcept;

/// The address in a node of either field, without brackets and port: "192.0.2.1:80",
/// "[2001:db8::1]:80", "2001:db8::1" or "unix:". Empty if it is none of these forms, as "unknown" and
/// "_hidden" are; that it is an address is not checked.
std::string_view address_in_node(std::string_view node) noexcept;

}  // namespace apus::codec::fields

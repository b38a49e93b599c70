// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace apus::middleware {

/// An IPv6 address. IPv4 addresses are stored as ::ffff:a.b.c.d.
struct ip_address {
    std::array<unsigned char, 16> bytes;

    /// Parses an IPv4 address (four decimal numbers without leading zeros) or an IPv6 address.
    /// The forms of RFC 4291, 2.2, are accepted, without zone, brackets and port.
    static std::optional<ip_address> parse(std::string_view text) noexcept;

    /// Returns the canonical text (RFC 5952; dotted for IPv4): equal addresses have equal texts.
    std::string text() const;
};

}  // namespace apus::middleware

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

    /// Accepts four numbers without leading zeros, or RFC 4291, 2.2; no zones, brackets or ports.
    static std::optional<ip_address> parse(std::string_view text) noexcept;

    /// Returns the canonical text (RFC 5952; dotted for IPv4): equal addresses have equal texts.
    std::string text() const;
};

}  // namespace apus::middleware

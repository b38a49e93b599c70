// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace apus::middleware {

/// An address of IPv6, or one of IPv4 as ::ffff:a.b.c.d.
struct ip_address {
    std::array<unsigned char, 16> bytes;

    /// Four numbers without leading zeros, or RFC 4291, 2.2. No zone, brackets or port.
    static std::optional<ip_address> parse(std::string_view text) noexcept;

    /// As RFC 5952 spells it, and IPv4 as such: the same address is always the same text.
    std::string text() const;
};

}  // namespace apus::middleware

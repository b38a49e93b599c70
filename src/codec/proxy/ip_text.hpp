// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::codec::proxy {

/// Parses an IPv4 address, without leading zeros, into four bytes.
/// Returns false if the text is malformed; the bytes are then unspecified.
bool read_ip4(std::string_view text, unsigned char* to) noexcept;

/// Parses an IPv6 address (RFC 4291, 2.2), without zone and brackets, into 16 bytes.
/// Returns false if the text is malformed; the bytes are then unspecified.
bool read_ip6(std::string_view text, unsigned char* to) noexcept;

}  // namespace apus::codec::proxy

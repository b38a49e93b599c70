// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::codec::proxy {

/// Four numbers without leading zeros, into four bytes. False if the text is none; then the bytes may be anything.
bool read_ip4(std::string_view text, unsigned char* to) noexcept;

/// An address as RFC 4291, 2.2, spells it, without zone and brackets, into 16 bytes. The same.
bool read_ip6(std::string_view text, unsigned char* to) noexcept;

}  // namespace apus::codec::proxy

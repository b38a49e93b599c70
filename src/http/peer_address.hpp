// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace apus::http {

/// The IP address of who a connected socket leads to, as text; "unix", or "unknown".
std::string peer_address(int fd);

/// 4 bytes of IPv4 or 16 of IPv6 as text. A client of IPv4 on a socket of both (::ffff:0:0/96) is
/// shown as it would write its own address.
std::string address_text(const unsigned char* bytes, bool ip6);

}  // namespace apus::http

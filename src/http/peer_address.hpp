// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace apus::http {

/// Returns the IP address of a connected socket's peer as text.
/// Returns "unix" for Unix sockets, and "unknown" on failure.
std::string peer_address(int fd);

/// Returns an IP address of 4 or 16 bytes as text.
/// Formats an IPv4-mapped address (::ffff:0:0/96) as IPv4.
std::string address_text(const unsigned char* bytes, bool ip6);

}  // namespace apus::http

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace apus::codec::proxy {

inline constexpr refusal no_header{400, "the connection does not begin with a PROXY header"};
inline constexpr refusal long_header{400, "the PROXY header is too long"};
inline constexpr refusal bad_line{400, "malformed PROXY header of version 1"};
inline constexpr refusal bad_address{400, "an address in the PROXY header does not match its address family"};
inline constexpr refusal bad_port{400, "the PROXY header has an invalid port"};
inline constexpr refusal bad_command{400, "unsupported version or command of the PROXY header"};
inline constexpr refusal bad_family{400, "unsupported address family or transport of the PROXY header"};
inline constexpr refusal short_block{400, "the PROXY header is too short for its addresses"};
inline constexpr refusal bad_extension{400, "an extension of the PROXY header exceeds the header"};

/// Client address from a PROXY header.
struct header {
    enum class family : std::uint8_t {
        unsaid,  ///< LOCAL or UNKNOWN: use the address of the socket's peer.
        ip4,
        ip6,
        unix_socket
    };
    family of = family::unsaid;
    std::uint16_t port = 0;                   ///< Port of the client.
    std::array<unsigned char, 16> address{};  ///< Address of the client: 4 bytes of IPv4, or 16 of IPv6.
};

constexpr std::size_t longest_line = 107;          ///< Maximum bytes of version 1, including CRLF.
constexpr std::size_t longest_header = 16 + 2048;  ///< Maximum bytes of version 2, with addresses and extensions.

/// Parses a PROXY header at the start of a connection.
/// Supports versions 1 and 2 (HAProxy, doc/proxy-protocol.txt). Strict: one space between words, no leading zeros,
/// stream transports only. TLVs must be well-formed and are ignored. Returns `partial` while the input may be the
/// beginning of a valid header, which has at most `longest_header` bytes.
parsed<header> read_header(std::string_view in) noexcept;

}  // namespace apus::codec::proxy

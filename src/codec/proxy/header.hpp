// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace apus::codec::proxy {

inline constexpr refusal no_header{400, "the connection does not begin with a PROXY header"};
inline constexpr refusal long_header{400, "the PROXY header is longer than any that is taken"};
inline constexpr refusal bad_line{400, "the line of the PROXY header is not as version 1 has it"};
inline constexpr refusal bad_address{400, "the PROXY header has an address that is none of its family"};
inline constexpr refusal bad_port{400, "the PROXY header has a port that is none"};
inline constexpr refusal bad_command{400,
                                     "the PROXY header is of another version than 1 and 2, or of an unknown command"};
inline constexpr refusal bad_family{400, "the PROXY header is of a family or transport that no connection of HTTP has"};
inline constexpr refusal short_block{400, "the PROXY header is too short for its addresses"};
inline constexpr refusal bad_extension{400,
                                       "the PROXY header has an extension that does not end where the header does"};

/// Who the client of a proxy is, as the PROXY protocol tells it at the beginning of a connection.
struct header {
    enum class family : std::uint8_t {
        unsaid,  ///< The proxy speaks for itself (LOCAL), or does not know (UNKNOWN): the peer is what it is.
        ip4,
        ip6,
        unix_socket
    };
    family of = family::unsaid;
    std::uint16_t port = 0;                   ///< Of the client.
    std::array<unsigned char, 16> address{};  ///< Of the client: 4 bytes of IPv4, or 16 of IPv6.
};

constexpr std::size_t longest_line = 107;          ///< Bytes of version 1, with its CRLF.
constexpr std::size_t longest_header = 16 + 2048;  ///< Bytes of version 2: addresses, and extensions of any kind.

/// Reads a header of version 1 or 2 of the PROXY protocol (HAProxy, doc/proxy-protocol.txt) at the
/// beginning of what a connection has sent. Strict: one space between words, numbers without leading
/// zeros, transports that are streams. Extensions (TLVs) must be well-formed, and are passed over. Partial
/// as long as what is there may become one, which it does within `longest_header` bytes.
parsed<header> read_header(std::string_view in) noexcept;

}  // namespace apus::codec::proxy

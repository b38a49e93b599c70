// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace apus::codec::websocket {

/// What Sec-WebSocket-Accept answers to this Sec-WebSocket-Key: base 64 of the SHA-1 of the key and a
/// fixed text (RFC 6455, 4.2.2). It proves that a server knows the protocol, and hides nothing.
using accept_text = std::array<char, 28>;
accept_text accept_key(std::string_view key) noexcept;

/// Whether this is base 64 of sixteen bytes, as a client has to send it.
bool is_key(std::string_view text) noexcept;

}  // namespace apus::codec::websocket

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace apus::codec::websocket {

/// Computes Sec-WebSocket-Accept from Sec-WebSocket-Key (RFC 6455, 4.2.2).
/// The result is the base64-encoded SHA-1 of the key and a fixed text. It proves that a server implements the protocol.
/// It is not a secret.
using accept_text = std::array<char, 28>;
accept_text accept_key(std::string_view key) noexcept;

/// Returns true if `text` is sixteen bytes in base64, as clients must send it.
bool is_key(std::string_view text) noexcept;

}  // namespace apus::codec::websocket

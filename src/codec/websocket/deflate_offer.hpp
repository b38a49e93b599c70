// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace apus::codec::websocket {

/// The parameters of permessage-deflate (RFC 7692, 7.1) in an offer or a response.
struct deflate_terms {
    std::uint8_t server_bits = 15;  ///< Base-2 logarithm of the server's compression window, 8 to 15.
    std::uint8_t client_bits = 15;  ///< Base-2 logarithm of the client's compression window, 8 to 15.
    bool server_keeps = true;       ///< The server keeps its compression window between messages.
    bool client_keeps = true;
    bool names_client_bits = false;  ///< client_max_window_bits is present: a response may limit the client's window.
};

/// Removes the next extension from a value of Sec-WebSocket-Extensions.
/// If the extension is permessage-deflate, and all parameters are known, valid and not repeated, returns the
/// parameters. Returns an empty optional for other extensions.
std::optional<deflate_terms> next_deflate(std::string_view& list) noexcept;

}  // namespace apus::codec::websocket

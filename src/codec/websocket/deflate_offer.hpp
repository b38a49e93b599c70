// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace apus::codec::websocket {

/// The parameters of permessage-deflate (RFC 7692, 7.1), in an offer or an answer.
struct deflate_terms {
    std::uint8_t server_bits = 15;  ///< Of the window that the server compresses with, 8 to 15.
    std::uint8_t client_bits = 15;  ///< The same of the client.
    bool server_keeps = true;       ///< Whether the server's window is kept between messages.
    bool client_keeps = true;
    bool names_client_bits = false;  ///< Only then may an answer bound the client's window.
};

/// Takes the next extension off a value of Sec-WebSocket-Extensions. Its terms, where it is
/// permessage-deflate and each of its parameters is known, stands once and has a value that may be; else
/// nothing, as of other extensions.
std::optional<deflate_terms> next_deflate(std::string_view& list) noexcept;

}  // namespace apus::codec::websocket

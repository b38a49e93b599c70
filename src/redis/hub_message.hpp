// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/websocket.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace apus::redis {

constexpr std::size_t node_size = 16;  ///< Size of a process's id in bytes.

/// A message to a room, as sent through Redis.
struct hub_message {
    std::string_view node;  ///< Id of the process that has sent the message.
    std::string_view room;
    websocket_message message;
};

/// Serializes a message. `node` must have `node_size` bytes.
std::string to_bytes(const hub_message&);

/// Parses a message. The result refers to `bytes`.
/// Returns nullopt if the bytes are invalid or of another version, or if a text message is not valid UTF-8.
std::optional<hub_message> read_hub_message(std::string_view bytes) noexcept;

}  // namespace apus::redis

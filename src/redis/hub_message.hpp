// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/websocket.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace apus::redis {

constexpr std::size_t node_size = 16;  ///< Bytes of a process's id.

/// A message of a room on its way through Redis.
struct hub_message {
    std::string_view node;  ///< Id of the process that has sent it.
    std::string_view room;
    websocket_message message;
};

/// Returns the bytes of a message. `node` has `node_size` bytes.
std::string to_bytes(const hub_message&);

/// Returns views of `bytes`, or nullopt if they are invalid or of another version.
/// A text must be UTF-8.
std::optional<hub_message> read_hub_message(std::string_view bytes) noexcept;

}  // namespace apus::redis

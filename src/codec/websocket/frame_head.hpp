// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace apus::codec::websocket {

/// Opcodes (RFC 6455, 11.8). Bit 3 is set for control frames.
enum class opcode : std::uint8_t {
    continuation = 0,
    text = 1,
    binary = 2,
    close = 8,
    ping = 9,
    pong = 10
};

constexpr bool is_control(opcode what) noexcept { return static_cast<unsigned>(what) & 8; }

/// Header of a frame (RFC 6455, 5.2).
struct frame_head {
    std::uint64_t size = 0;  ///< Size of the payload in bytes.
    std::uint32_t mask = 0;  ///< In memory order. Only for masked frames.
    opcode what = opcode::continuation;
    bool final = false;
    bool compressed = false;  ///< RSV1 (RFC 7692, 6).
};

/// Rules for the frames of a peer.
struct frame_rules {
    bool masked = true;       ///< Clients must mask frames, servers must not (RFC 6455, 5.1).
    bool compressed = false;  ///< Whether messages may be compressed (RFC 7692).
};

inline constexpr std::size_t max_frame_head = 14;
inline constexpr std::size_t max_control_size = 125;

/// Reads the head at the front of `in`.
parsed<frame_head> read_frame_head(std::string_view in, frame_rules) noexcept;

/// Writes an unmasked head of at most ten bytes and returns its end.
char* write_frame_head(char* to, const frame_head&) noexcept;

/// Writes a masked head of at most `max_frame_head` bytes and returns its end.
char* write_masked_frame_head(char* to, const frame_head&) noexcept;

}  // namespace apus::codec::websocket

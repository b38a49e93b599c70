// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace apus::codec::websocket {

/// RFC 6455, 11.8. Control frames have the bit of 8.
enum class opcode : std::uint8_t {
    continuation = 0,
    text = 1,
    binary = 2,
    close = 8,
    ping = 9,
    pong = 10
};

constexpr bool is_control(opcode what) noexcept { return static_cast<unsigned>(what) & 8; }

/// What stands in front of a frame's payload (RFC 6455, 5.2).
struct frame_head {
    std::uint64_t size = 0;  ///< Of the payload, in bytes.
    std::uint32_t mask = 0;  ///< As it lies in memory; of a masked frame.
    opcode what = opcode::continuation;
    bool final = false;
    bool compressed = false;  ///< RSV1 (RFC 7692, 6).
};

/// What the frames of a peer must be like.
struct frame_rules {
    bool masked = true;       ///< Those of a client are; those of a server are not (RFC 6455, 5.1).
    bool compressed = false;  ///< Whether a message may be (RFC 7692).
};

inline constexpr std::size_t max_frame_head = 14;
inline constexpr std::size_t max_control_size = 125;

/// Reads the head at the front of `in`.
parsed<frame_head> read_frame_head(std::string_view in, frame_rules) noexcept;

/// Writes a head that is not masked, of at most ten bytes, and gives its end.
char* write_frame_head(char* to, const frame_head&) noexcept;

/// The same with the head's mask.
char* write_masked_frame_head(char* to, const frame_head&) noexcept;

}  // namespace apus::codec::websocket

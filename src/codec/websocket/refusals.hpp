// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

// Reasons for rejecting WebSocket input. The status is the code of the Close frame (RFC 6455, 7.4.1).

namespace apus::codec::websocket::refusals {

inline constexpr refusal reserved_bits{1002, "a frame has a reserved bit set, but no extension defines it"};
inline constexpr refusal opcode_unknown{1002, "a frame has a reserved opcode"};
inline constexpr refusal control_fragmented{1002, "a control frame is fragmented"};
inline constexpr refusal control_too_long{1002, "a control frame has more than 125 bytes"};
inline constexpr refusal length_not_minimal{1002, "the length of a frame is not minimally encoded"};
inline constexpr refusal length_too_large{1002, "the length of a frame has its highest bit set"};
inline constexpr refusal not_masked{1002, "a frame from a client is not masked"};
inline constexpr refusal masked{1002, "a frame from a server is masked"};
inline constexpr refusal compressed_control{1002, "a control frame is marked as compressed"};
inline constexpr refusal compressed_continuation{1002, "a continuation frame is marked as compressed"};
inline constexpr refusal nothing_to_continue{1002, "a continuation frame without a message"};
inline constexpr refusal message_not_ended{1002, "a message begins before the end of the previous one"};
inline constexpr refusal close_one_byte{1002, "a Close frame has a payload of one byte: a close code has two bytes"};
inline constexpr refusal close_code{1002, "a Close frame has an invalid code"};
inline constexpr refusal not_utf8{1007, "a text message is invalid UTF-8"};
inline constexpr refusal not_deflate{1007, "a compressed message is malformed (RFC 7692)"};
inline constexpr refusal message_too_large{1009, "a message exceeds the limit of this route"};
inline constexpr refusal frame_too_large{1009, "a frame exceeds the limit of this route"};
inline constexpr refusal too_many_fragments{1008, "a message has more fragments than this route allows"};

}  // namespace apus::codec::websocket::refusals

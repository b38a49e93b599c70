// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

// Reasons for rejecting WebSocket input. The status is the code of the Close frame (RFC 6455, 7.4.1).

namespace apus::codec::websocket::refusals {

inline constexpr refusal reserved_bits{1002, "a frame has a reserved bit set that nothing negotiated stands for"};
inline constexpr refusal opcode_unknown{1002, "a frame has an opcode that is reserved"};
inline constexpr refusal control_fragmented{1002, "a control frame is fragmented"};
inline constexpr refusal control_too_long{1002, "a control frame holds more than 125 bytes"};
inline constexpr refusal length_not_minimal{1002, "the length of a frame is not written in the fewest bytes"};
inline constexpr refusal length_too_large{1002, "the length of a frame has its highest bit set"};
inline constexpr refusal not_masked{1002, "a frame of a client is not masked"};
inline constexpr refusal masked{1002, "a frame of a server is masked"};
inline constexpr refusal compressed_control{1002, "a control frame is marked as compressed"};
inline constexpr refusal compressed_continuation{1002, "a frame that continues a message is marked as compressed"};
inline constexpr refusal nothing_to_continue{1002, "a frame continues a message that has not begun"};
inline constexpr refusal message_not_ended{1002, "a message begins before the one before it has ended"};
inline constexpr refusal close_one_byte{1002, "a Close frame has a payload of one byte, which is not a code"};
inline constexpr refusal close_code{1002, "a Close frame has a code that may not be sent"};
inline constexpr refusal not_utf8{1007, "a text is not UTF-8"};
inline constexpr refusal not_deflate{1007, "a compressed message is not what RFC 7692 has it be"};
inline constexpr refusal message_too_large{1009, "a message is larger than this route takes"};
inline constexpr refusal frame_too_large{1009, "a frame is larger than this route takes"};
inline constexpr refusal too_many_fragments{1008, "a message comes in more fragments than this route takes"};

}  // namespace apus::codec::websocket::refusals

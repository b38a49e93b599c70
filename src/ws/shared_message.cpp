// SPDX-License-Identifier: Apache-2.0
#include "ws/shared_message.hpp"

#include "codec/websocket/frame_head.hpp"
#include "compression/message_deflate.hpp"

#include <cstddef>
#include <string_view>

namespace apus::ws {
namespace {

using codec::websocket::opcode;

std::string framed(opcode what, std::string_view payload, bool compressed) {
    char head[codec::websocket::max_frame_head];
    const char* end = codec::websocket::write_frame_head(head, {payload.size(), 0, what, true, compressed});
    std::string frame;
    frame.reserve(static_cast<std::size_t>(end - head) + payload.size());
    return frame.append(head, static_cast<std::size_t>(end - head)).append(payload);
}

}  // namespace

std::shared_ptr<const shared_message> share(const websocket_message& message, unsigned window_bits) {
    const opcode what = message.binary ? opcode::binary : opcode::text;
    auto made = std::make_shared<shared_message>();
    made->plain = framed(what, message.bytes, false);
    if (window_bits == 0) return made;
    std::string small;
    compression::message_deflater(window_bits, false).put(message.bytes, small);
    if (small.size() >= message.bytes.size()) return made;
    made->compressed = framed(what, small, true);
    made->bits = window_bits;
    return made;
}

}  // namespace apus::ws

// SPDX-License-Identifier: Apache-2.0
#include "websocket.hpp"

#include <algorithm>

namespace load {
namespace {

constexpr char mask[4] = {0x12, 0x34, 0x56, 0x78};  // used by all frames: the value does not change the server's work

enum opcode : unsigned {
    continuation = 0,
    text = 1,
    binary = 2,
    closing = 8,
    pinging = 9,
    ponging = 10
};

std::string masked_frame(opcode what, std::string_view payload) {
    std::string frame{char(0x80 | what)};
    const auto size = payload.size();
    const int length_bytes = size < 126 ? 0 : size < 65'536 ? 2 : 8;
    frame += char(0x80 | (length_bytes == 0 ? size : length_bytes == 2 ? 126U : 127U));
    for (int i = length_bytes - 1; i >= 0; --i) frame += char(size >> (8 * i) & 0xff);
    frame.append(mask, 4);
    for (std::size_t i = 0; i < size; ++i) frame += char(payload[i] ^ mask[i % 4]);
    return frame;
}

// Returns the length of the frame header that begins with these bytes.
std::size_t head_size(std::string_view head) {
    if (head.size() < 2) return 2;
    const unsigned length = head[1] & 0x7f;
    return length < 126 ? 2 : length == 126 ? 4 : 10;
}

}  // namespace

std::string masked_text(std::size_t bytes) { return masked_frame(text, std::string(bytes, 'x')); }
std::string masked_pong(std::string_view payload) { return masked_frame(ponging, payload); }

message_reader::found message_reader::read(std::string_view& in) {
    for (;;) {
        while (!in_payload_) {
            if (in.empty()) return found::more;
            head_ += in.front();
            in.remove_prefix(1);
            if (head_.size() < head_size(head_)) continue;
            // The first bit of the second byte is MASK, which a server must not set.
            if ((head_[0] & 0x70) || (head_[1] & 0x80)) return found::bad;
            left_ = head_[1] & 0x7f;
            if (left_ >= 126) left_ = 0;
            for (std::size_t i = 2; i < head_.size(); ++i) left_ = left_ << 8 | std::uint8_t(head_[i]);
            in_payload_ = true;
            if (!begin_frame(head_[0])) return found::bad;
        }
        const auto take = std::min<std::uint64_t>(left_, in.size());
        if (head_[0] & 0x08) control_ += in.substr(0, std::size_t(take));
        else size_ += take;
        in.remove_prefix(std::size_t(take));
        left_ -= take;
        if (left_ > 0) return found::more;
        const auto result = end_frame();
        if (result != found::more) return result;
    }
}

bool message_reader::begin_frame(char first) {
    const unsigned what = first & 0x0f;
    if (what & 0x08) {
        control_.clear();
        return left_ < 126;
    }
    if (what != continuation && ended_) size_ = 0;
    // A new message inside another one, or a continuation without a message.
    else if (what != continuation || ended_) return false;
    ended_ = false;
    return what <= binary;
}

message_reader::found message_reader::end_frame() {
    const char first = head_[0];
    head_.clear();
    in_payload_ = false;
    switch (first & 0x0f) {
        case closing: return found::close;
        case pinging: return found::ping;
        case ponging: return found::more;
        default: break;
    }
    ended_ = (first & 0x80) != 0;
    return ended_ ? found::message : found::more;
}

}  // namespace load

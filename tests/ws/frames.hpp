// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/websocket/close.hpp"
#include "codec/websocket/frame_head.hpp"
#include "codec/websocket/mask.hpp"

#include <string>
#include <string_view>

namespace apus::test {

/// Returns a client frame.
/// `first` is its first byte: 0x81 for a whole text, 0x01 for the first fragment.
inline std::string framed(unsigned first, std::string_view payload, bool masked = true) {
    using namespace codec::websocket;
    frame_head head{payload.size(), masked ? 0x3d21fa37U : 0, static_cast<opcode>(first & 15), (first & 0x80) != 0,
                    (first & 0x40) != 0};
    char bytes[max_frame_head];
    char* end = masked ? write_masked_frame_head(bytes, head) : write_frame_head(bytes, head);
    bytes[0] = static_cast<char>(first);
    std::string whole(bytes, end);
    std::string body(payload);
    if (masked) apply_mask(body.data(), body.size(), head.mask);
    return whole + body;
}

inline std::string whole_text(std::string_view payload) { return framed(0x81, payload); }

/// Returns a client's Close frame, without a code if `code` is 0.
inline std::string closing(unsigned code, std::string_view reason = {}) {
    std::string payload;
    if (code) (payload += static_cast<char>(code >> 8)) += static_cast<char>(code & 0xff);
    return framed(0x88, payload.append(reason));
}

/// Returns a server's frames as "text:hello close:1000:bye ".
/// Removes complete frames from the front of `bytes`.
inline std::string take_frames(std::string& bytes) {
    using namespace codec::websocket;
    std::string said;
    while (true) {
        const auto got = read_frame_head(bytes, {.masked = false, .compressed = true});
        if (got.state == codec::outcome::bad) return said + got.why->reason;
        if (got.state == codec::outcome::partial || bytes.size() < got.used + got.value.size) return said;
        const std::string payload = bytes.substr(got.used, got.value.size);
        bytes.erase(0, got.used + got.value.size);
        constexpr std::string_view names[] = {"continuation:", "text:", "binary:", "", "", "", "", "",
                                              "close:",        "ping:", "pong:"};
        said += got.value.compressed ? "compressed " : "";
        said += names[static_cast<unsigned>(got.value.what)];
        if (got.value.what == opcode::close) {
            const auto why = read_close(payload);
            said += why.state == codec::outcome::bad
                        ? std::string(why.why->reason)
                        : std::to_string(why.value.code) + ":" + std::string(why.value.text);
        } else {
            said += payload.size() > 100 ? std::to_string(payload.size()) + " bytes" : payload;
        }
        said += ' ';
    }
}

/// Returns an opening handshake with additional field lines.
inline std::string opening_request(std::string_view path, std::string_view lines = {}) {
    return "GET " + std::string(path) +
           " HTTP/1.1\r\nHost: a.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
           "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
           std::string(lines) + "\r\n";
}

}  // namespace apus::test

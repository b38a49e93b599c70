// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/websocket.hpp>

#include <memory>
#include <string>

namespace apus::ws {

/// A message encoded as WebSocket frames, once for all recipients.
struct shared_message {
    std::string plain;
    /// The compressed frame, for recipients with a window of at least `bits`.
    /// Empty if the message was not compressed, or did not become smaller.
    std::string compressed;
    unsigned bits = 0;

    const std::string& frame(bool small) const noexcept { return small ? compressed : plain; }
    bool fits(unsigned window_bits) const noexcept { return !compressed.empty() && window_bits >= bits; }
};

/// Encodes a message. `window_bits`: window of the compressed frame, 9 to 15; 0: not compressed.
std::shared_ptr<const shared_message> share(const websocket_message&, unsigned window_bits);

}  // namespace apus::ws

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/websocket.hpp>

#include <memory>
#include <string>

namespace apus::ws {

/// A message in its frames, made once for all who get it.
struct shared_message {
    std::string plain;
    /// For those whose window has at least `bits`. Empty: there is none, or it would not be smaller.
    std::string compressed;
    unsigned bits = 0;

    const std::string& frame(bool small) const noexcept { return small ? compressed : plain; }
    bool fits(unsigned window_bits) const noexcept { return !compressed.empty() && window_bits >= bits; }
};

/// `window_bits` is from 9 to 15 where it is to be compressed too, else 0.
std::shared_ptr<const shared_message> share(const websocket_message&, unsigned window_bits);

}  // namespace apus::ws

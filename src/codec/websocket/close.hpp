// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <cstdint>
#include <string_view>

namespace apus::codec::websocket {

/// The payload of a Close frame (RFC 6455, 5.5.1).
struct close_reason {
    std::uint16_t code = 1005;  ///< 1005 if the payload has no code (RFC 6455, 7.1.5).
    std::string_view text;
};

/// Returns true if a Close frame may have this code (RFC 6455, 7.4, and IANA's registry).
constexpr bool may_be_sent(unsigned code) noexcept {
    if (code < 3000) return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014);
    return code <= 4999;
}

/// Reads a whole, unmasked payload. The outcome is never `partial`.
parsed<close_reason> read_close(std::string_view payload) noexcept;

/// Writes at most 125 bytes and returns their end.
/// Longer text is truncated at a character boundary.
char* write_close(char* to, close_reason) noexcept;

}  // namespace apus::codec::websocket

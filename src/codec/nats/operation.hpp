// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

// Reads what a NATS server sends: INFO, MSG, HMSG, PING, PONG, +OK and -ERR.

namespace apus::codec::nats {

enum class kind : std::uint8_t {
    info,
    message,  ///< MSG or HMSG
    ping,
    pong,
    ok,
    error,
};

/// An operation. Views refer to the input.
struct operation {
    kind what = kind::ok;
    std::string_view text;           ///< The JSON of INFO; the text of -ERR, without quotes.
    std::string_view subject;        ///< Of a message. May contain any bytes except spaces, tabs and line feeds.
    std::string_view reply;          ///< Subject for replies to a message, with the same bytes. Empty: none.
    std::uint64_t subscription = 0;  ///< Number that the client has given to the subscription of a message.
    std::string_view headers;        ///< Header block of a message: see `header_reader`. Empty for MSG.
    std::string_view payload;
};

inline constexpr std::size_t max_line = 64 * 1024;  ///< Maximum bytes of a line, without its CRLF.
inline constexpr std::size_t max_name = 4;          ///< Maximum bytes of an operation's name.

namespace refusals {
inline constexpr refusal unknown_operation{503, "unknown operation from the NATS server"};
inline constexpr refusal malformed{503, "malformed operation from the NATS server"};
inline constexpr refusal line_too_long{503, "a line from the NATS server exceeds the limit"};
inline constexpr refusal message_too_large{503, "a message from the NATS server exceeds the limit"};
}  // namespace refusals

/// Reads the operation at the front of `in`.
/// `most`: maximum bytes of a message with its headers. An invalid or excessive size is rejected before the bytes have
/// arrived. Names of operations are case-insensitive, as the protocol requires.
parsed<operation> read_operation(std::string_view in, std::size_t most) noexcept;

}  // namespace apus::codec::nats

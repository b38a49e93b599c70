// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace load {

/// How a response is framed, determined from its head.
struct answer_head {
    enum class ends {
        by_length,
        by_chunks,
        with_connection
    };

    std::size_t size = 0;  ///< Bytes of the head, including the empty line.
    int status = 0;
    ends body = ends::with_connection;
    std::uint64_t length = 0;
    bool closes = false;  ///< The server closes the connection after this response.
    bool accepts_websocket = false;
};

/// The Sec-WebSocket-Key of every handshake, and the accept value for it (RFC 6455, 1.3).
inline constexpr std::string_view websocket_key = "dGhlIHNhbXBsZSBub25jZQ==";
inline constexpr std::string_view websocket_accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

/// Parses `text`, a head including its empty line. Returns false if it is invalid.
bool read_head(std::string_view text, answer_head&);

/// Remembers the last parsed head.
/// In a load test nearly every response has the same head as the previous one, so comparing the bytes replaces parsing.
class head_memory {
public:
    /// Returns the last head if `in` begins with the same bytes; otherwise null.
    const answer_head* find(std::string_view in) const {
        if (text_.empty() || in.size() < text_.size()) return nullptr;
        return std::memcmp(in.data(), text_.data(), text_.size()) == 0 ? &head_ : nullptr;
    }

    /// Parses and stores `text`. Returns null if it is not a valid head.
    const answer_head* read(std::string_view text) {
        text_.clear();
        head_ = {};
        if (!read_head(text, head_)) return nullptr;
        text_ = text;
        return &head_;
    }

private:
    std::string text_;
    answer_head head_;
};

}  // namespace load

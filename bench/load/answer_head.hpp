// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace load {

/// What the head of an answer says about how to read it.
struct answer_head {
    enum class ends {
        by_length,
        by_chunks,
        with_connection
    };

    std::size_t size = 0;  ///< In bytes, with the empty line.
    int status = 0;
    ends body = ends::with_connection;
    std::uint64_t length = 0;
    bool closes = false;  ///< The server ends the connection after this answer.
    bool accepts_websocket = false;
};

/// The key of every handshake, and what RFC 6455, 1.3 says a server has to answer to it.
inline constexpr std::string_view websocket_key = "dGhlIHNhbXBsZSBub25jZQ==";
inline constexpr std::string_view websocket_accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

/// Reads `text`, a head up to its empty line; false where it is none.
bool read_head(std::string_view text, answer_head&);

/// The last head that was read. Nearly every answer of a load has the very bytes of the one
/// before, and then comparing them is all the reading that is needed.
class head_memory {
public:
    /// The head that `in` begins with, if it is the one of last time.
    const answer_head* find(std::string_view in) const {
        if (text_.empty() || in.size() < text_.size()) return nullptr;
        return std::memcmp(in.data(), text_.data(), text_.size()) == 0 ? &head_ : nullptr;
    }

    /// Null where `text` is no head.
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

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/chunked.hpp"

#include <cstdint>
#include <string_view>

namespace apus::http::h1 {

/// Decodes the framing of a body, piece by piece (RFC 9112, 6 and 7). Stores no bytes.
class body_decoder {
public:
    struct step {
        codec::outcome state;       ///< done: `piece` is set, or the body has ended; partial: more bytes are needed
        std::string_view piece;     ///< Decoded bytes of the body.
        std::string_view trailers;  ///< Trailer section, if the body has ended with one.
        std::size_t used = 0;
        const codec::refusal* why = nullptr;
    };

    body_decoder() = default;
    explicit body_decoder(const codec::http1::request_head& head) noexcept
        : body_decoder(head.body, head.content_length) {}
    body_decoder(codec::http1::framing, std::uint64_t length) noexcept;  ///< `length` is used only for a sized body.

    /// Returns a decoder for all bytes after a 101 response, until the end of the connection.
    static body_decoder endless() noexcept;

    /// Decodes the next piece of the body at the front of `in`, or its end.
    step next(std::string_view in, const codec::http1::head_limits&, codec::http1::trailer_section&) noexcept;

    bool ended() const noexcept { return at_ == place::end; }

    /// Returns the bytes that remain in the body or chunk; 0 if unknown.
    std::uint64_t announced() const noexcept { return endless_ ? 0 : left_; }

private:
    enum class place : std::uint8_t {
        data,
        size_line,
        chunk_data,
        chunk_end,
        trailers,
        end
    };

    place at_ = place::end;
    bool endless_ = false;
    std::uint32_t extensions_ = 0;  // bytes of chunk extensions so far
    std::uint64_t left_ = 0;        // bytes left in the body or chunk
};

}  // namespace apus::http::h1

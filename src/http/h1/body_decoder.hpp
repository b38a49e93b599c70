// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/chunked.hpp"

#include <cstdint>
#include <string_view>

namespace apus::http::h1 {

/// Takes a body out of its framing, piece by piece (RFC 9112, 6 and 7). Keeps no bytes.
class body_decoder {
public:
    struct step {
        codec::outcome state;       ///< done: `piece` or the end; partial: needs bytes behind these
        std::string_view piece;     ///< Bytes of the body.
        std::string_view trailers;  ///< The trailer section, at the end of a body that has one.
        std::size_t used = 0;
        const codec::refusal* why = nullptr;
    };

    body_decoder() = default;
    explicit body_decoder(const codec::http1::request_head& head) noexcept
        : body_decoder(head.body, head.content_length) {}
    body_decoder(codec::http1::framing, std::uint64_t length) noexcept;  ///< `length` counts where it is sized.

    /// Everything that comes until the connection ends: what follows a 101.
    static body_decoder endless() noexcept;

    /// The next piece of the body at the front of `in`, or its end.
    step next(std::string_view in, const codec::http1::head_limits&, codec::http1::trailer_section&) noexcept;

    bool ended() const noexcept { return at_ == place::end; }

    /// Bytes that are known to come: the rest of the body, or of the chunk. 0 where nobody can tell.
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
    std::uint32_t extensions_ = 0;  // bytes of chunk extensions, so far
    std::uint64_t left_ = 0;        // bytes of the body, or of the chunk
};

}  // namespace apus::http::h1

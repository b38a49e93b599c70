// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/content_coding.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace apus::compression {

/// How far a decoder has come.
enum class decoded : std::uint8_t {
    partial,  ///< It needs more bytes, or more room where it filled all of it.
    done,     ///< The coding is complete.
    bad,      ///< The bytes are none of this coding.
};

/// Takes a content coding off, piece by piece. What it gives may be a thousand times what it takes
/// and more: see `bounded_decoder`. Throws `std::bad_alloc` without memory.
class decoder {
public:
    /// What a call has used of the input and made of it.
    struct step {
        decoded state;
        std::size_t used;
        std::size_t made;
    };

    virtual ~decoder() = default;

    /// Decodes from `in` into `room` until one of them is used up. Bytes behind the end of the
    /// coding are not used; a further member of gzip, or frame of zstd, belongs to it. After `done`
    /// it may be called with what follows, and is `partial` again if that is such a one.
    virtual step take(std::string_view in, std::span<char> room) = 0;
};

/// A decoder of gzip, deflate, br or zstd; another coding is a bug of the caller. Its memory is at
/// most 9 MiB (zstd), 17 MiB (br) or 48 KiB, of which small bodies touch little.
std::unique_ptr<decoder> make_decoder(content_coding);

}  // namespace apus::compression

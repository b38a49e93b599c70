// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/content_coding.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace apus::compression {

/// State of a decoder.
enum class decoded : std::uint8_t {
    partial,  ///< More input is needed, or more room if the room was filled.
    done,     ///< The coding is complete.
    bad,      ///< The input is malformed.
};

/// Decodes a content coding in pieces. Throws `std::bad_alloc`.
/// The output may be over a thousand times larger than the input: see `bounded_decoder`.
class decoder {
public:
    /// Bytes consumed and produced by a call.
    struct step {
        decoded state;
        std::size_t used;
        std::size_t made;
    };

    virtual ~decoder() = default;

    /// Decodes from `in` into `room` until either is exhausted.
    /// Further gzip members and zstd frames belong to the body; other bytes after the end are not consumed. After
    /// `done`, call `take` with the remaining input; `take` returns `partial` if another member or frame follows.
    virtual step take(std::string_view in, std::span<char> room) = 0;
};

/// Creates a decoder for gzip, deflate, br or zstd. Must not be called for other codings.
/// Uses at most 9 MiB of memory for zstd, 17 MiB for br, and 48 KiB for gzip and deflate. For small bodies, most of
/// this memory is never accessed.
std::unique_ptr<decoder> make_decoder(content_coding);

}  // namespace apus::compression

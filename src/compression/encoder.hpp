// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/content_coding.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace apus::compression {

/// Action of the encoder after a piece of input.
enum class then : std::uint8_t {
    more,   ///< Nothing: the encoder may buffer bytes for a better ratio.
    flush,  ///< Flushes its buffers, so that all input so far can be decoded.
    end,    ///< Completes the coding.
};

/// Applies a content coding to bodies, one after another.
/// Throws `std::bad_alloc`; after an exception, only destroy the encoder.
class encoder {
public:
    virtual ~encoder() = default;

    /// Encodes a piece and appends output to `out`.
    virtual void put(std::string_view piece, then, std::string& out) = 0;

    /// Abandons the current body; the next piece begins a new body.
    virtual void restart() = 0;

    /// Encodes a complete body and appends it to `out`, often faster than `put`.
    /// Requires that no other body is in progress.
    virtual void whole(std::string_view body, std::string& out) = 0;
};

/// Creates an encoder for gzip, br or zstd.
/// `level`: 1 to 9 for gzip, 0 to 11 for br, 1 to 19 for zstd. Up to level 6, an encoder uses at most 2 MiB.
std::unique_ptr<encoder> make_encoder(content_coding, int level);

}  // namespace apus::compression

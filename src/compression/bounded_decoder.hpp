// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compression/decoder.hpp"

namespace apus::compression {

/// Limits for the output of a decoder.
struct decoding_bounds {
    std::uint64_t size;         ///< Total size in bytes.
    std::uint64_t ratio = 100;  ///< Output bytes per input byte, applied after `ratio_from` output bytes.

    /// In bytes. Smaller outputs may have any ratio, since a short body of zeros also compresses well.
    static constexpr std::uint64_t ratio_from = 64 * 1024;
};

/// Result of a step of a bounded decoder.
enum class bounded : std::uint8_t {
    partial,    ///< More input is needed, or more room if the room was filled.
    done,       ///< The coding is complete; more input may begin another member or frame.
    bad,        ///< The input is malformed, or followed by other bytes.
    too_large,  ///< The output would exceed `size`.
    too_dense,  ///< The output exceeds `ratio` times the input.
};

/// A decoder that limits output size and memory, as protection against decompression bombs.
class bounded_decoder {
public:
    /// Bytes consumed and produced by a call.
    /// The caller must discard the output unless the state is `partial` or `done`.
    struct step {
        bounded state;
        std::size_t used;
        std::size_t made;
    };

    bounded_decoder(content_coding coding, decoding_bounds bounds) : inner_(make_decoder(coding)), bounds_(bounds) {}

    step take(std::string_view in, std::span<char> room);

    /// Whether the coding is complete, so that the input may end here.
    bool complete() const noexcept { return done_; }

private:
    std::unique_ptr<decoder> inner_;
    decoding_bounds bounds_;
    std::uint64_t used_ = 0;
    std::uint64_t made_ = 0;
    bool done_ = false;
};

}  // namespace apus::compression

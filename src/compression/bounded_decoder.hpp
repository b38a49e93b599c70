// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compression/decoder.hpp"

namespace apus::compression {

/// How much may come out of a coding.
struct decoding_bounds {
    std::uint64_t size;         ///< Bytes in all.
    std::uint64_t ratio = 100;  ///< Bytes for each byte taken, once `ratio_from` have come out.

    static constexpr std::uint64_t ratio_from = 64 * 1024;  ///< A short body of zeros is no attack.
};

/// What a bounded decoder says after each step.
enum class bounded : std::uint8_t {
    partial,    ///< More bytes are needed, or more room where all of it was filled.
    done,       ///< Complete, unless more comes that belongs to it.
    bad,        ///< None of this coding, or bytes that follow its end.
    too_large,  ///< More than `size` would come out.
    too_dense,  ///< More than `ratio` to one has come out.
};

/// A decoder that small bytes cannot make give much: neither memory nor time beyond its bounds is
/// spent on a body that was made to burst (a "bomb").
class bounded_decoder {
public:
    /// What a call has used and made; what was made is to be thrown away unless `partial` or `done`.
    struct step {
        bounded state;
        std::size_t used;
        std::size_t made;
    };

    bounded_decoder(content_coding coding, decoding_bounds bounds) : inner_(make_decoder(coding)), bounds_(bounds) {}

    /// As `decoder::take`.
    step take(std::string_view in, std::span<char> room);

    /// Whether the input may end here: the coding is complete.
    bool complete() const noexcept { return done_; }

private:
    std::unique_ptr<decoder> inner_;
    decoding_bounds bounds_;
    std::uint64_t used_ = 0;
    std::uint64_t made_ = 0;
    bool done_ = false;
};

}  // namespace apus::compression

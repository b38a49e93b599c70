// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"
#include "compression/bounded_decoder.hpp"
#include "http/exchange.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace apus::middleware {

/// Returns the error response for a decoding that failed; null if the decoder reports no failure.
const codec::refusal* refusal_of(compression::bounded) noexcept;
extern const codec::refusal body_cut_short;  ///< The body ended before its coding was complete.

/// A request body that is decoded in pieces.
class decoded_pieces final : public http::body_filter {
public:
    decoded_pieces(content_coding coding, compression::decoding_bounds bounds)
        : decoder_(coding, bounds), room_(piece, '\0') {}

    bool next(http::exchange&) noexcept override;

private:
    static constexpr std::size_t piece = 16 * 1024;

    bool go_on(http::exchange&);
    bool refuse(http::exchange&, const codec::refusal&) noexcept;

    compression::bounded_decoder decoder_;
    std::string room_;
    std::string_view raw_;  // encoded bytes of the current piece; the transport owns the memory
    // Whether the last call filled the output buffer, so that the decoder may have more output without further input.
    bool more_ = false;
    bool refused_ = false;
};

/// A whole body that is decoded in slices, so that decoding does not delay other work on the core.
class decoded_whole {
public:
    decoded_whole(std::string_view raw, content_coding coding, compression::decoding_bounds bounds)
        : decoder_(coding, bounds), raw_(raw) {}

    /// Decodes the next slice of up to 256 KiB. Returns true when the decoding is complete or has
    /// failed.
    bool go_on();

    /// Returns why decoding failed; null if decoding has not failed.
    const codec::refusal* refused() const noexcept { return refused_; }
    std::string& text() noexcept { return text_; }

private:
    compression::bounded_decoder decoder_;
    std::string_view raw_;
    std::string text_;
    const codec::refusal* refused_ = nullptr;
};

}  // namespace apus::middleware

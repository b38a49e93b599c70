// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compression/bounded_decoder.hpp"

#include <string>
#include <string_view>

namespace apus::outbound {

/// Decodes the content coding of a response body, in pieces of bounded size.
class decoded_body {
public:
    explicit decoded_body(content_coding coding)
        : decoder_(coding, {.size = ~std::uint64_t{0}, .ratio = ~std::uint64_t{0}}), room_(piece, '\0') {}

    /// Adds bytes, which must stay valid until `next` has returned all of their output.
    void feed(std::string_view coded) noexcept;

    /// Returns the next piece; empty if more bytes are needed or the bytes are malformed.
    std::string_view next();

    bool broken() const noexcept { return broken_; }
    /// Whether the encoded data is complete, so that the body may end here. An empty body is complete.
    bool complete() const noexcept { return !fed_ || decoder_.complete(); }

    /// Whether the caller should yield to other tasks now. Returns true after each 256 KiB of output.
    bool should_yield() noexcept;

private:
    static constexpr std::size_t piece = 16 * 1024;

    // No size limits: each call of `next` produces one piece, so memory use is bounded.
    compression::bounded_decoder decoder_;
    std::string room_;
    std::string_view coded_;
    std::size_t made_ = 0;
    bool fed_ = false;
    // The last call filled the output buffer, so the decoder may have more output without further input.
    bool more_ = false;
    bool broken_ = false;
};

}  // namespace apus::outbound

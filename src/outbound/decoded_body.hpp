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
    /// Whether the body may end here. An empty body is complete.
    bool complete() const noexcept { return !fed_ || decoder_.complete(); }

    /// Whether enough output was produced to yield to other tasks. Resets the count.
    bool tired() noexcept;

private:
    static constexpr std::size_t piece = 16 * 1024;

    compression::bounded_decoder decoder_;  // without limits: the reader sets the pace, so the buffer stays bounded
    std::string room_;
    std::string_view coded_;
    std::size_t made_ = 0;
    bool fed_ = false;
    bool more_ = false;  // the output buffer was filled: the decoder may have more output without further input
    bool broken_ = false;
};

}  // namespace apus::outbound

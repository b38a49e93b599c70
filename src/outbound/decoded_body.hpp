// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compression/bounded_decoder.hpp"

#include <string>
#include <string_view>

namespace apus::outbound {

/// The body of an answer without its content coding, in pieces of bounded size.
class decoded_body {
public:
    explicit decoded_body(content_coding coding)
        : decoder_(coding, {.size = ~std::uint64_t{0}, .ratio = ~std::uint64_t{0}}), room_(piece, '\0') {}

    /// Takes further bytes, which must stay until `next` has given all that they hold.
    void feed(std::string_view coded) noexcept;

    /// The next piece; empty where more bytes are needed, or where they are none of this coding.
    std::string_view next();

    bool broken() const noexcept { return broken_; }
    /// The body may end here. One without a byte may.
    bool complete() const noexcept { return !fed_ || decoder_.complete(); }

    /// Whether so much has come out since this was asked that others should have a turn. True once.
    bool tired() noexcept;

private:
    static constexpr std::size_t piece = 16 * 1024;

    compression::bounded_decoder decoder_;  // who reads sets the pace, and bounds what is kept
    std::string room_;
    std::string_view coded_;
    std::size_t made_ = 0;
    bool fed_ = false;
    bool more_ = false;  // all the room was filled: the decoder may have more without more bytes
    bool broken_ = false;
};

}  // namespace apus::outbound

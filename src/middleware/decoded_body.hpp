// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"
#include "compression/bounded_decoder.hpp"
#include "http/body_filter.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace apus::middleware {

/// The answer to a body that a bounded decoder does not take; null where all is well.
const codec::refusal* refusal_of(compression::bounded) noexcept;
extern const codec::refusal body_cut_short;  ///< It ends before its coding does.

/// The body of a request, decoded for those who read it piece by piece.
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
    std::string_view raw_;  // of the piece that the carrier lends
    bool more_ = false;     // all the room was filled: the decoder may have more without more input
    bool refused_ = false;
};

/// A whole body, decoded in slices, so that its core can do other things in between.
class decoded_whole {
public:
    decoded_whole(std::string_view raw, content_coding coding, compression::decoding_bounds bounds)
        : decoder_(coding, bounds), raw_(raw) {}

    /// Decodes up to 256 KiB more. True: it has come to the end, or found why not.
    bool go_on();

    const codec::refusal* refused() const noexcept { return refused_; }  ///< Why it is none; null if it is well.
    std::string& text() noexcept { return text_; }

private:
    compression::bounded_decoder decoder_;
    std::string_view raw_;
    std::string text_;
    const codec::refusal* refused_ = nullptr;
};

}  // namespace apus::middleware

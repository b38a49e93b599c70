// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http2/frame.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace apus::http::h2 {

/// Splits the input of a peer into frames, after the preface if the peer is a client.
/// Payloads are views of the input, and are copied only if a frame arrives in pieces. DATA payloads are returned piece
/// by piece. Frames of unknown types are skipped.
class frame_reader {
public:
    enum class step : std::uint8_t {
        more,             ///< The whole input was read.
        head,             ///< `head` is the next frame's head. The caller may reject the frame before its payload.
        frame,            ///< `payload` is the whole payload of the frame.
        data,             ///< `payload` is a piece of a DATA frame, without its padding.
        invalid_preface,  ///< RFC 9113, 3.4.
        invalid_padding,  ///< RFC 9113, 6.1.
    };
    struct item {
        codec::http2::frame_head head;
        std::string_view payload;   ///< Valid until the next call.
        std::uint32_t padding = 0;  ///< With `data`: bytes of padding read, including the Pad Length field.
        bool ends = false;          ///< With `data`: the frame has ended.
    };

    frame_reader() = default;
    /// For the input of a server, which sends no preface.
    static frame_reader of_server() noexcept {
        frame_reader made;
        made.at_ = place::between;
        return made;
    }

    /// Reads from the front of `bytes`.
    step next(std::string_view& bytes, item& out);

    /// Returns true if a frame is incomplete.
    /// The preface counts as a frame, and so does a header block (HEADERS with all its CONTINUATION frames).
    bool inside() const noexcept { return at_ != place::between || buffered_ != 0 || in_block_; }
    /// Returns true if the incomplete frame is a DATA frame with a complete head.
    bool inside_data() const noexcept { return at_ == place::data; }
    bool inside_block() const noexcept { return in_block_; }
    /// Number of frames begun; a header block counts as one.
    std::uint32_t number() const noexcept { return number_; }
    std::size_t memory() const noexcept { return kept_.capacity(); }

private:
    enum class place : std::uint8_t {
        preface,
        between,
        payload,
        data,
        skipped,
    };
    step read_preface(std::string_view& bytes) noexcept;
    bool read_head(std::string_view& bytes) noexcept;
    bool read_payload(std::string_view& bytes, std::string_view& payload);
    step read_data(std::string_view& bytes, item& out) noexcept;

    std::string kept_;  // the part of a payload received so far
    codec::http2::frame_head head_;
    std::uint32_t left_ = 0;     // bytes of the payload still to be read
    std::uint32_t number_ = 0;   // wraps
    std::uint8_t buffered_ = 0;  // bytes of the preface or head received so far
    std::uint8_t padding_ = 0;   // bytes of padding at the end of this DATA frame
    bool padding_due_ = false;   // the Pad Length field is still to be read
    bool in_block_ = false;
    place at_ = place::preface;
    char part_[codec::http2::frame_head_size];
};

}  // namespace apus::http::h2

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/hpack/encoder.hpp"
#include "codec/hpack/literal.hpp"
#include "codec/http2/frame.hpp"
#include "http/h2/core.hpp"

#include <cstddef>
#include <cstdint>

namespace apus::http::h2 {

/// Returns the maximum size of the frames of a response's header block.
/// The block has status, date, content type, content length, and field lines of `field_lines` bytes.
constexpr std::size_t block_room(std::size_t field_lines) noexcept {
    constexpr std::size_t own = codec::hpack::max_status + core::date_room + codec::hpack::fixed_field::room +
                                codec::hpack::max_content_length + codec::hpack::encoder::max_begin;
    // A line has at least five bytes, including ": " and CRLF.
    constexpr std::size_t min_line = 5;
    const std::size_t block = own + field_lines + field_lines / min_line * codec::hpack::max_literal(0, 0);
    return block + (block / codec::http2::default_frame_size + 1) * codec::http2::frame_head_size;
}

/// Splits a header block into HEADERS and CONTINUATION frames and returns their end.
/// At `frame`, the caller leaves room for one frame head. The header block follows this room and ends at `end`. Further
/// frame heads are inserted. `flags` are the flags of HEADERS.
char* frame_block(char* frame, char* end, std::uint32_t stream, std::uint8_t flags) noexcept;

}  // namespace apus::http::h2

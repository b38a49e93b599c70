// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/request_head.hpp"
#include "codec/parsed.hpp"

#include <cstdint>
#include <string_view>

namespace apus::codec::http1 {

/// Reads the line before a chunk and returns the chunk's size (RFC 9112, 7.1).
/// The line has the size in hexadecimal, then extensions, which are checked and ignored, then CRLF. The last chunk has
/// size 0.
parsed<std::uint64_t> read_chunk_size(std::string_view in) noexcept;

/// Reads the CRLF after a chunk's data.
parsed<bool> read_chunk_end(std::string_view in) noexcept;

/// The trailer section after the last chunk, including its empty line (RFC 9112, 7.1.2).
/// Offsets count from the first byte of the input. Fields that are not allowed in trailers (framing, routing,
/// authentication: RFC 9110, 6.5.1) are checked and omitted.
struct trailer_section {
    std::uint16_t field_count = 0;
    field fields[max_fields];
};
bool may_stand_in_trailers(std::string_view name) noexcept;
parsed<const trailer_section*> read_trailers(std::string_view in, const head_limits& limits,
                                             trailer_section& out) noexcept;

}  // namespace apus::codec::http1

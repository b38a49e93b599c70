// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/hpack/encoder.hpp"
#include "http/h2/frame_buffer.hpp"

#include <cstdint>
#include <string_view>

namespace apus::outbound::h2 {

/// Head of a request (RFC 9113, 8.3.1).
struct request_head {
    std::string_view method, scheme, authority, path;
    std::string_view lines;  ///< Other fields as "name: value\r\n"; valid names in any case. Host is skipped.
};

/// Appends HEADERS, and CONTINUATION frames if needed.
/// Adds to the dynamic table only fields that are never secret, and that are equal in most requests of a client.
/// Marks Authorization and cookies as never indexed (RFC 7541, 7.1.3).
void write_request(http::h2::frame_buffer& out, codec::hpack::encoder&, const request_head&, std::uint32_t stream,
                   bool ends_stream);

}  // namespace apus::outbound::h2

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/request_head.hpp"
#include "codec/parsed.hpp"

#include <cstdint>
#include <string_view>

namespace apus::codec::http1 {

/// A parsed response head (RFC 9112, 4 to 6). Slices count from the head's first byte.
struct response_head {
    std::uint16_t status;          ///< 100 to 599 (RFC 9110, 15).
    std::uint8_t minor;            ///< Minor version: 0 for HTTP/1.0, 1 for HTTP/1.1 and later 1.x.
    bool keep_alive;               ///< According to Connection and the version (RFC 9112, 9.3).
    framing body;                  ///< According to the fields only; use `body_of`.
    slice reason;                  ///< May be empty.
    std::uint64_t content_length;  ///< Only for `framing::sized`.
    std::uint16_t field_count;
    field fields[max_fields];  ///< In the order received. Only the first `field_count` are set.
};

/// Reads a response head, from the status line to the empty line.
/// As strict as `read_request_head`, but the space before an empty reason is optional, because many servers omit it.
/// Rejects several Content-Length fields, even if they are equal, and Transfer-Encoding together with Content-Length.
/// `limits.request_line` limits the status line.
///
/// `out` is complete only if the outcome is `done`. Does not read outside `in`.
parsed<const response_head*> read_response_head(std::string_view in, const head_limits& limits,
                                                response_head& out) noexcept;

/// Returns the framing of the body (RFC 9112, 6.3).
/// `answers_head`: the request's method is HEAD. Does not support CONNECT.
framing body_of(const response_head& head, bool answers_head) noexcept;

}  // namespace apus::codec::http1

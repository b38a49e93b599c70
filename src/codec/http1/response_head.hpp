// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/request_head.hpp"
#include "codec/parsed.hpp"

#include <cstdint>
#include <string_view>

namespace apus::codec::http1 {

/// What a response's head says (RFC 9112, 4 to 6). All slices count from the head's first byte.
struct response_head {
    std::uint16_t status;          ///< 100 to 599 (RFC 9110, 15).
    std::uint8_t minor;            ///< HTTP/1.x: 0, or 1 for every minor version from 1 on.
    bool keep_alive;               ///< What Connection and the version say (RFC 9112, 9.3).
    framing body;                  ///< As the fields have it, none of which means `until_close`: see `body_of`.
    slice reason;                  ///< May be empty.
    std::uint64_t content_length;  ///< Only for `framing::sized`.
    std::uint16_t field_count;
    field fields[max_fields];  ///< In the order sent. Only the first `field_count` are written.
};

/// Reads one response head, from the status line to the empty line. As strict as the reader of
/// requests, but a status line may lack the space before an empty reason: many servers leave it
/// out. More than one Content-Length is refused also where all say the same, and so is
/// Transfer-Encoding beside Content-Length. `limits.request_line` bounds the status line.
///
/// `out` is whole only when done. Touches no byte outside `in`.
parsed<const response_head*> read_response_head(std::string_view in, const head_limits& limits,
                                                response_head& out) noexcept;

/// How the body is framed, given the request's method (RFC 9112, 6.3). CONNECT is not known here.
framing body_of(const response_head& head, bool answers_head) noexcept;

}  // namespace apus::codec::http1

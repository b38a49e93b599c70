// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/cursor.hpp"
#include "codec/http1/request_head.hpp"

namespace apus::codec::http1 {

/// Reads one field line with its CRLF (RFC 9112, 5), of a head or a trailer section. There must
/// be at least one byte, and it is not the CR of the empty line.
step read_field_line(cursor& in, field& out) noexcept;

}  // namespace apus::codec::http1

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/cursor.hpp"

namespace apus::codec::http1 {

/// Checks the extensions between a chunk's size and its CRLF (RFC 9112, 7.1.1), none of which
/// means anything to us. There must be at least one byte. Whole: `in.at` is at a CR or LF.
step skip_chunk_extensions(cursor& in) noexcept;

}  // namespace apus::codec::http1

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/input.hpp"

namespace apus::codec::http1 {

/// Checks and skips the extensions between a chunk's size and its CRLF (RFC 9112, 7.1.1).
/// There must be at least one byte at `at`. Returns the position of a CR or LF.
const char* skip_chunk_extensions(input& in, const char* at) noexcept;

}  // namespace apus::codec::http1

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/input.hpp"

namespace apus::codec::http1 {

/// Checks and skips the extensions between a chunk's size and its CRLF (RFC 9112, 7.1.1).
/// At least one byte must be readable at `at`. Returns the position of a CR or LF, or null.
const char* skip_chunk_extensions(input& in, const char* at) noexcept;

}  // namespace apus::codec::http1

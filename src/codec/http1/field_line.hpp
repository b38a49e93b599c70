// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/input.hpp"

namespace apus::codec::http1 {

/// Reads a field line of a head or a trailer section, with its CRLF (RFC 9112, 5).
/// At least one byte must be readable at `at`, and it must not be the CR of the empty line. Returns the end, or null.
const char* read_field_line(input& in, const char* at, field& out) noexcept;

}  // namespace apus::codec::http1

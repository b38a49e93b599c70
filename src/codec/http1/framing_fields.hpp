// SPDX-License-Identifier: Apache-2.0
#pragma once

// Fields that determine message framing and connection persistence, in requests and responses.

#include "codec/http1/known_fields.hpp"
#include "codec/parsed.hpp"

#include <cstdint>
#include <string_view>

namespace apus::codec::http1 {

/// Records a Content-Length (RFC 9112, 6.2) in `seen` and `out`.
/// Returns null, or the reason for rejecting the field.
const refusal* note_length(std::string_view value, known_fields& seen, std::uint64_t& out) noexcept;

/// Records a Transfer-Encoding (RFC 9112, 6.1) of an HTTP/1.`minor` message, like `note_length`.
const refusal* note_coding(std::string_view value, known_fields& seen, unsigned minor) noexcept;

/// Records the options of a Connection field (RFC 9110, 7.6.1) in `seen`.
void note_connection(std::string_view value, known_fields& seen) noexcept;

}  // namespace apus::codec::http1

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What fields say of a message's framing and of its connection, in requests and responses alike.

#include "codec/http1/known_fields.hpp"
#include "codec/parsed.hpp"

#include <cstdint>
#include <string_view>

namespace apus::codec::http1 {

/// Takes note of a Content-Length (RFC 9112, 6.2) in `seen` and `out`. Null, or why it is refused.
const refusal* note_length(std::string_view value, known_fields& seen, std::uint64_t& out) noexcept;

/// The same of a Transfer-Encoding (RFC 9112, 6.1), in a message of HTTP/1.`minor`.
const refusal* note_coding(std::string_view value, known_fields& seen, unsigned minor) noexcept;

/// Takes note of the options of a Connection field (RFC 9110, 7.6.1).
void note_connection(std::string_view value, known_fields& seen) noexcept;

}  // namespace apus::codec::http1

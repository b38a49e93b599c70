// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace apus::codec::fields {

/// Returns the key in a value of Idempotency-Key, or nullopt if it is invalid.
/// The value is a String (RFC 9651, 3.3.3) without parameters, or, as most clients send it, a text without quotes. A
/// key has 1 to 255 bytes of printable ASCII. Escapes in Strings are not decoded: equal Strings have equal escapes.
std::optional<std::string_view> read_idempotency_key(std::string_view value) noexcept;

}  // namespace apus::codec::fields

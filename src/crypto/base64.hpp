// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace apus::crypto {

/// Encodes base64 with padding (RFC 4648, 4), or base64url without padding (RFC 4648, 5).
/// base64url is safe in URLs, cookies and file names. The time depends only on the sizes.
std::string base64(std::string_view bytes);
std::string base64url(std::string_view bytes);

/// Decodes canonical base64; returns nothing for other texts.
/// White space, other padding and non-zero trailing bits are rejected, so that equal bytes have equal text.
std::optional<std::string> decode_base64(std::string_view text);
std::optional<std::string> decode_base64url(std::string_view text);

}  // namespace apus::crypto

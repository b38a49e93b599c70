// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace apus::crypto {

/// Base 64 of RFC 4648, 4, padded; and the alphabet of its section 5, which is safe in URLs, cookies
/// and file names, without padding. The time they take depends on sizes only.
std::string base64(std::string_view bytes);
std::string base64url(std::string_view bytes);

/// The bytes, or nothing if the text is not exactly what the function above gives for some bytes:
/// white space, other padding, and bits that are left over and not zero are refused, so that no two
/// texts are the same bytes.
std::optional<std::string> decode_base64(std::string_view text);
std::optional<std::string> decode_base64url(std::string_view text);

}  // namespace apus::crypto

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::crypto {

/// Returns the HMAC (RFC 2104) with SHA-256 or SHA-512 as 32 or 64 bytes.
/// The key may have any size; a key shorter than the result limits the strength to its own size.
std::string hmac_sha256(std::string_view key, std::string_view message);
std::string hmac_sha512(std::string_view key, std::string_view message);

}  // namespace apus::crypto

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::crypto {

/// HMAC of RFC 2104 with the digests of FIPS 180-4: 32 and 64 bytes. The key may have any size;
/// one shorter than the outcome is no stronger than its own size.
std::string hmac_sha256(std::string_view key, std::string_view message);
std::string hmac_sha512(std::string_view key, std::string_view message);

}  // namespace apus::crypto

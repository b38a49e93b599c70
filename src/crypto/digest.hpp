// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::crypto {

/// Returns the SHA-256 digest (FIPS 180-4) as 32 bytes.
std::string sha256(std::string_view bytes);

}  // namespace apus::crypto

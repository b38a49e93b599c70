// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::crypto {

/// SHA-256 of FIPS 180-4: 32 bytes.
std::string sha256(std::string_view bytes);

}  // namespace apus::crypto

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::middleware {

/// Returns the id in a key such as "ak_0123456789abcdef_..."; empty if the format is invalid.
std::string_view id_of_api_key(std::string_view text) noexcept;

/// Returns the stored digest of a key: SHA-256 as 64 hexadecimal digits.
std::string digest_of_api_key(std::string_view text);

}  // namespace apus::middleware

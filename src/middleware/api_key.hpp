// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::middleware {

/// The id in a key such as "ak_0123456789abcdef_...", or empty if the text has not the form of one.
std::string_view id_of_api_key(std::string_view text) noexcept;

/// What is kept of a key: SHA-256, as 64 digits.
std::string digest_of_api_key(std::string_view text);

}  // namespace apus::middleware

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace apus::codec::fields {

/// Value of an Authorization field with a scheme and a token68 (RFC 9110, 11.2 and 11.4).
struct credentials {
    std::string_view scheme;  ///< Case-insensitive.
    std::string_view token;   ///< Empty if the field has only a scheme.
};

/// Parses a field value.
/// Returns an empty optional for other forms. Parameters, such as those of Digest, are not supported.
std::optional<credentials> read_credentials(std::string_view value) noexcept;

}  // namespace apus::codec::fields

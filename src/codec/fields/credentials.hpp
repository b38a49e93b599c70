// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace apus::codec::fields {

/// A value of Authorization that is a scheme and a token68 (RFC 9110, 11.2 and 11.4).
struct credentials {
    std::string_view scheme;  ///< Compared without regard to case.
    std::string_view token;   ///< Of at least one byte; empty if there is a scheme only.
};

/// Nothing if the value is not of this form: parameters, as those of Digest, are none.
std::optional<credentials> read_credentials(std::string_view value) noexcept;

}  // namespace apus::codec::fields

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::codec::http1 {

/// Whether `text` may be a method or a field name (RFC 9110, 5.6.2): not empty, only token bytes.
bool is_token(std::string_view text) noexcept;

/// Whether `text` can be sent as a field's value without ending the line (RFC 9110, 5.5): no CR,
/// LF, NUL or other control byte but tab. It may be empty. White space around it is not refused,
/// but the receiver does not see it.
bool is_field_value(std::string_view text) noexcept;

}  // namespace apus::codec::http1

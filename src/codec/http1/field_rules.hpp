// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::codec::http1 {

/// Returns true if `text` is a valid method or field name: a non-empty token (RFC 9110, 5.6.2).
bool is_token(std::string_view text) noexcept;

/// Returns true if `text` can be sent as a field's value without ending the line (RFC 9110, 5.5).
/// The value may be empty, but must not contain CR, LF, NUL or other control characters except tab. White space at the
/// ends of the value is accepted, but the receiver removes it.
bool is_field_value(std::string_view text) noexcept;

}  // namespace apus::codec::http1

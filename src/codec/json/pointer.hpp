// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::codec::json {

/// Removes the first reference token from a JSON Pointer and unescapes it (RFC 6901, 4).
/// Returns false if the token has invalid escapes; the token then contains them unchanged. Also returns false if the
/// pointer does not begin with '/'; the pointer then becomes empty.
bool take_reference(std::string_view& pointer, std::string& token);

}  // namespace apus::codec::json

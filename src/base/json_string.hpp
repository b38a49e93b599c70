// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::base {

/// Appends `text` as a JSON string (RFC 8259, 7).
/// Control bytes are escaped. Invalid UTF-8 becomes U+FFFD, since parsers reject documents with invalid UTF-8.
void append_json_string(std::string& out, std::string_view text);

}  // namespace apus::base

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::base {

/// Adds a string of RFC 8259, 7, whatever the bytes: control bytes are escaped, and those that are
/// no UTF-8 become U+FFFD, since a document that is none would be refused as a whole.
void append_json_string(std::string& out, std::string_view text);

}  // namespace apus::base

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::base {

/// Appends two lower-case hexadecimal digits for each byte.
void append_hex(std::string& to, std::string_view bytes);

/// Returns two lower-case hexadecimal digits for each byte.
std::string hex(std::string_view bytes);

}  // namespace apus::base

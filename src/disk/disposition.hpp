// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::disk {

/// Returns a Content-Disposition value that makes browsers save a file as `name` (RFC 6266).
/// The value has the name in ASCII and, if it has other characters, also in UTF-8 (RFC 8187). Directories before the
/// name are removed, and control characters and quotes replaced. Invalid UTF-8 becomes '_'.
std::string attachment(std::string_view name);

}  // namespace apus::disk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::codec::fields {

/// Returns the media type of a file by its last extension, case-insensitive.
/// Text types include `charset=utf-8`. Returns "application/octet-stream" for unknown extensions.
std::string_view media_type_of(std::string_view file_name) noexcept;

}  // namespace apus::codec::fields

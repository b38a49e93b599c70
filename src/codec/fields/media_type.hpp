// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::codec::fields {

/// The media type of a file by the last extension of its name, in any case; for text with its
/// charset, which is always UTF-8. "application/octet-stream" for a name that says nothing.
std::string_view media_type_of(std::string_view file_name) noexcept;

}  // namespace apus::codec::fields

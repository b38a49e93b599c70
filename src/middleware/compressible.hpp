// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::middleware {

/// Whether bodies of this media type, with or without parameters, become much smaller. What is
/// compressed in itself (images, audio, video, archives, WOFF) does not.
bool compressible(std::string_view media_type) noexcept;

}  // namespace apus::middleware

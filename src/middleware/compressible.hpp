// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::middleware {

/// Whether compression makes bodies of this media type, with or without parameters, much smaller.
/// Returns false for formats that are already compressed: images, audio, video, archives, WOFF.
bool compressible(std::string_view media_type) noexcept;

}  // namespace apus::middleware

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::middleware {

/// Whether bodies of this media type become much smaller when compressed.
/// The type may have parameters. Returns false for formats that are already compressed: images, audio, video, archives,
/// WOFF.
bool compressible(std::string_view media_type) noexcept;

}  // namespace apus::middleware

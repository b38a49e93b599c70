// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::base {

/// `is_utf8` that processes sixteen bytes at a time. Requires `has_utf8_blocks`.
bool is_utf8_by_blocks(std::string_view text) noexcept;

/// Whether this CPU supports `is_utf8_by_blocks`.
bool has_utf8_blocks() noexcept;

}  // namespace apus::base

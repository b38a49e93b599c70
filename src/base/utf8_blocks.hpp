// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::base {

/// `is_utf8`, sixteen bytes at a time. To be called only where `has_utf8_blocks` says so.
bool is_utf8_by_blocks(std::string_view text) noexcept;

/// Whether this machine has what that needs.
bool has_utf8_blocks() noexcept;

}  // namespace apus::base

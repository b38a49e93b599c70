// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/content_coding.hpp>

#include <optional>
#include <string_view>

namespace apus::compression {

/// Returns the coding with this name, ignoring case; nothing for unknown names.
/// Also accepts the old name "x-gzip" (RFC 9110, 8.4.1.3).
std::optional<content_coding> coding_of(std::string_view name) noexcept;

}  // namespace apus::compression

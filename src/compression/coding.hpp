// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/content_coding.hpp>

#include <optional>
#include <string_view>

namespace apus::compression {

/// The coding of this name, in any case; also by the old name "x-gzip" (RFC 9110, 8.4.1.3). None
/// for another.
std::optional<content_coding> coding_of(std::string_view name) noexcept;

}  // namespace apus::compression

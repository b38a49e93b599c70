// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <string_view>

namespace apus::codec::multipart {

constexpr std::size_t max_boundary = 70;  ///< RFC 2046, 5.1.1.

/// Returns the boundary in a Content-Type of multipart/form-data.
/// Duplicate boundaries, invalid bytes and malformed parameters are errors.
parsed<std::string_view> read_boundary(std::string_view content_type) noexcept;

}  // namespace apus::codec::multipart

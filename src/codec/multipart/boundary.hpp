// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <string_view>

namespace apus::codec::multipart {

constexpr std::size_t max_boundary = 70;  ///< RFC 2046, 5.1.1.

/// The boundary that a Content-Type of multipart/form-data names. Of two, a token with bytes that a
/// boundary must not have, and parameters that are none, nothing is guessed.
parsed<std::string_view> read_boundary(std::string_view content_type) noexcept;

}  // namespace apus::codec::multipart

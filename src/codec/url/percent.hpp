// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <string_view>

namespace apus::codec::url {

inline constexpr refusal bad_triplet{400, "a percent sign in the URL is not followed by two hexadecimal digits"};
inline constexpr refusal encoded_nul{400, "the URL contains an encoded NUL"};
inline constexpr refusal not_utf8{400, "the decoded URL is invalid UTF-8"};

/// Decodes percent-encoding (RFC 3986, 2.1) once, and checks that the result is UTF-8 without NUL.
/// `out` must have room for `in.size()` bytes, and may be `in.data()`. The value is a view of `out`. A plus sign is
/// kept. The outcome is never `partial`.
parsed<std::string_view> decode_percent(std::string_view in, char* out) noexcept;

/// Returns true if a segment of a decoded path is "." or "..".
/// Such a path may refer to files outside a folder.
bool has_dot_segment(std::string_view path) noexcept;

}  // namespace apus::codec::url

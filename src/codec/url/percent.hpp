// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <string_view>

namespace apus::codec::url {

inline constexpr refusal bad_triplet{400, "a percent sign in the URL is not followed by two hexadecimal digits"};
inline constexpr refusal encoded_nul{400, "the URL holds an encoded NUL"};
inline constexpr refusal not_utf8{400, "the URL is not UTF-8 once it is decoded"};

/// Replaces each percent triplet by the byte it stands for (RFC 3986, 2.1), once, and checks that
/// the outcome is UTF-8 without NUL. `out` must have room for `in.size()` bytes, and may be
/// `in.data()`. The value is a view of `out`; never partial. A plus sign stays one.
parsed<std::string_view> decode_percent(std::string_view in, char* out) noexcept;

/// Whether a segment of a decoded path is "." or "..", so that joining it to a folder's name
/// might lead out of the folder.
bool has_dot_segment(std::string_view path) noexcept;

}  // namespace apus::codec::url

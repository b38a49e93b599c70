// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <cstddef>
#include <string_view>

namespace apus::codec::url {

inline constexpr refusal slash_in_name{404, "a file's name cannot hold a slash or a backslash"};
inline constexpr refusal control_in_name{404, "a file's name cannot hold a control byte here"};
inline constexpr refusal climbing_name{404, "the path leaves its folder, or has an empty name in it"};
inline constexpr refusal hidden_name{404, "files whose name begins with a dot are hidden"};
inline constexpr refusal long_name{404, "the path is longer than that of any file"};

constexpr std::size_t longest_file_path = 1024;  ///< Bytes; names have at most 255 (POSIX NAME_MAX).

/// Makes the path of a file, below a folder, of what stands behind the folder's prefix in the path of
/// a request, as it was sent: without a slash at the beginning, percent-encoded. It is decoded once.
///
/// The value, a view of `out`, holds names of at least one byte, none of them "." or "..", with a
/// slash between two, and behind the last one if there was one. It is empty for the folder itself.
/// No name holds a control byte or a backslash, everything is UTF-8, and a slash was sent as one: so
/// no two programs on the way can disagree about what the path means.
///
/// Names that begin with a dot are refused unless `hidden`; but `.well-known` may stand first
/// (RFC 8615). `out` has room for `in.size()` bytes. Never partial.
parsed<std::string_view> read_file_path(std::string_view in, bool hidden, char* out) noexcept;

}  // namespace apus::codec::url

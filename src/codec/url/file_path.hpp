// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <cstddef>
#include <string_view>

namespace apus::codec::url {

inline constexpr refusal slash_in_name{404, "a file name must not contain a slash or a backslash"};
inline constexpr refusal control_in_name{404, "a file name must not contain a control character"};
inline constexpr refusal climbing_name{404, "the path leaves its folder, or contains an empty segment"};
inline constexpr refusal hidden_name{404, "files with names that begin with a dot are not served"};
inline constexpr refusal long_name{404, "the path is too long"};

constexpr std::size_t longest_file_path = 1024;  ///< Maximum bytes of a path; a name has at most 255 (POSIX NAME_MAX).

/// Converts the rest of a request path, after a folder's prefix, to a relative file path.
/// The input is percent-encoded, without a leading slash; it is decoded once. The result is a view of `out`. It
/// consists of non-empty names joined by slashes, never "." or "..", and keeps a trailing slash. It is empty for the
/// folder itself. Rejects control characters, backslashes, encoded slashes and invalid UTF-8, so that all programs
/// interpret the path in the same way. Unless `hidden` is true, rejects names that begin with a dot, except a leading
/// `.well-known` (RFC 8615). `out` must have room for `in.size()` bytes. The outcome is never `partial`.
parsed<std::string_view> read_file_path(std::string_view in, bool hidden, char* out) noexcept;

}  // namespace apus::codec::url

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/input.hpp"

#include <string_view>

namespace apus::codec::http1 {

/// Returns the method with this name, which is case-sensitive (RFC 9110, 9.1).
method method_of(std::string_view text) noexcept;

/// Reads method, target, version and CRLF (RFC 9112, 3).
/// Sets `verb`, `form`, `minor`, `path_has_percent` and the slices from `verb_text` to `query`. Sets `host` only for
/// absolute-form, to a non-empty slice.
const char* read_request_line(input& in, const char* at, request_head& out) noexcept;

}  // namespace apus::codec::http1

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/input.hpp"

namespace apus::codec::http1 {

/// Reads method, target and version, and their CRLF (RFC 9112, 3). Sets `verb`, `form`, `minor`,
/// `path_has_percent` and the slices from `verb_text` to `query`; `host` only for absolute-form,
/// where it is never empty.
const char* read_request_line(input& in, const char* at, request_head& out) noexcept;

}  // namespace apus::codec::http1

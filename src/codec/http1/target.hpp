// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/input.hpp"

namespace apus::codec::http1 {

/// Parses the request target and the space after it (RFC 9112, 3.2).
/// `out.verb` must be set, because CONNECT has a separate form. Accepts an asterisk for all methods except CONNECT; the
/// caller must check the method. Sets `form`, `path_has_percent`, `target`, `path`, `query`, and `host` for
/// absolute-form.
const char* read_target(input& in, const char* at, request_head& out) noexcept;

}  // namespace apus::codec::http1

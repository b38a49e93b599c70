// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "middleware/response_store.hpp"

#include <string>
#include <string_view>

namespace apus::middleware {

/// Appends media type, body and fields of a response. `read_response` must get exactly these bytes.
void append_response(std::string& to, const stored_response&);

/// Sets media type, body and fields of `to`.
/// Returns false if the bytes are invalid, or contain a field that `response::header` refuses: another program may have
/// written them. `to.status` must be set.
bool read_response(std::string_view from, stored_response& to);

}  // namespace apus::middleware

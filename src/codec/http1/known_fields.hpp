// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/cursor.hpp"
#include "codec/http1/request_head.hpp"

#include <string_view>

namespace apus::codec::http1 {

/// What the fields that rule a message have said so far. Only the codec's business: what they
/// come to in the end is in request_head.
struct known_fields {
    bool host = false;
    bool length = false;
    bool coding = false;
    bool upgrade = false;
    bool says_close = false;
    bool says_keep_alive = false;
    bool says_upgrade = false;
};

/// Takes note of one field of a head whose request line is in `out`. `line` is where it stands.
step note_field(const char* head, const field& line, known_fields& seen, request_head& out) noexcept;

/// Draws the conclusions when the last field has been seen.
step conclude(const known_fields& seen, request_head& out) noexcept;

}  // namespace apus::codec::http1

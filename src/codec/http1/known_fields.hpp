// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/input.hpp"

#include <cstdint>

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

/// `note_field`, for a field that may be one of ours by the size of its name.
const refusal* note_candidate(base::readable in, const field& line, known_fields& seen, request_head& out) noexcept;

/// Takes note of one field of a head whose request line is in `out`. Null, or why it is refused.
inline const refusal* note_field(base::readable in, const field& line, known_fields& seen, request_head& out) noexcept {
    constexpr std::uint32_t sizes = 1U << 4 | 1U << 6 | 1U << 7 | 1U << 10 | 1U << 14 | 1U << 17;
    const bool candidate = line.name.size < 32 && (sizes >> line.name.size & 1) != 0;
    return candidate ? note_candidate(in, line, seen, out) : nullptr;
}

/// Draws the conclusions when the last field has been seen.
const refusal* conclude(const known_fields& seen, request_head& out) noexcept;

}  // namespace apus::codec::http1

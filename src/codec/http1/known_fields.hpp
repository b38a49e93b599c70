// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/input.hpp"

#include <cstdint>

namespace apus::codec::http1 {

/// Bits for the message-framing fields that were received.
enum known_field : std::uint8_t {
    host_given = 1,
    length_given = 2,
    coding_given = 4,
    upgrade_given = 8,
    close_said = 16,       ///< Connection option `close`.
    keep_alive_said = 32,  ///< Connection option `keep-alive`.
    upgrade_said = 64,     ///< Connection option `upgrade`.
};
using known_fields = unsigned;

/// Slow path of `note_field`, for names with the length of a known name.
const refusal* note_candidate(base::readable in, const field& line, known_fields& seen, request_head& out) noexcept;

/// Records a field of a head.
/// The request line must be in `out`. Returns null, or the reason for rejecting the field.
inline const refusal* note_field(base::readable in, const field& line, known_fields& seen, request_head& out) noexcept {
    constexpr std::uint32_t sizes = 1U << 4 | 1U << 6 | 1U << 7 | 1U << 10 | 1U << 11 | 1U << 14 | 1U << 17;
    const bool candidate = line.name.size < 32 && (sizes >> line.name.size & 1) != 0;
    return candidate ? note_candidate(in, line, seen, out) : nullptr;
}

/// Sets the framing and persistence in `out`, after the last field.
/// Returns null, or the reason for rejecting the head.
const refusal* determine_framing(known_fields seen, request_head& out) noexcept;

}  // namespace apus::codec::http1

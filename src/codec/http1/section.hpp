// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/cursor.hpp"
#include "codec/http1/field_line.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace apus::codec::http1 {

/// Reads field lines up to and with the empty line behind them, within `limits`. Gives each line
/// to `take(const field&) -> step` as soon as it is whole.
template <class F>
step read_section(cursor& in, const head_limits& limits, F take) noexcept {
    const std::uint32_t most_lines = std::min<std::uint32_t>(limits.fields, max_fields);
    const std::size_t most = std::min(limits.field_bytes, most_bytes);
    const char* first = in.at;
    cursor at = in;
    const bool full = narrow(at, first, most + 2);
    const step cut = full ? &refusals::fields_too_long : cut_short;

    for (std::uint32_t lines = 0; at.at != at.end && *at.at != '\r'; ++lines) {
        if (lines == most_lines) return &refusals::too_many_fields;
        field line;
        if (const step read = read_field_line(at, line); read != whole) return read == cut_short ? cut : read;
        if (static_cast<std::size_t>(at.at - first) > most) return &refusals::fields_too_long;
        if (const step taken = take(line); taken != whole) return taken;
    }
    if (at.at == at.end) return cut;
    if (const step ended = end_of_line(at.at, at.end); ended != whole) return ended == cut_short ? cut : ended;
    in.at = at.at + 2;
    return whole;
}

}  // namespace apus::codec::http1

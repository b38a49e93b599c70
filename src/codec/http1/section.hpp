// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/field_line.hpp"
#include "codec/http1/input.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace apus::codec::http1 {

/// Reads field lines up to and with the empty line behind them, within `limits`. Gives each line
/// to `take(const field&) -> const refusal*` as soon as it is whole.
template <class F>
const char* read_section(input& whole, const char* at, const head_limits& limits, F take) noexcept {
    const std::uint32_t most_lines = std::min<std::uint32_t>(limits.fields, max_fields);
    const std::size_t most = std::min(limits.field_bytes, most_section_bytes);
    const char* first = at;
    input in = bounded(whole, first, most + 2, refusals::fields_too_long);
    const auto stop = [&](const refusal* why) { whole.why = why; return nullptr; };

    for (std::uint32_t lines = 0; at != in.end && *at != '\r'; ++lines) {
        if (lines == most_lines) return stop(&refusals::too_many_fields);
        field line;
        at = read_field_line(in, at, line);
        if (at == nullptr) return stop(in.why);
        if (static_cast<std::size_t>(at - first) > most) return stop(&refusals::fields_too_long);
        if (const refusal* why = take(line)) return stop(why);
    }
    if (at == in.end) return stop(in.at_end);
    at = in.line_end(at);
    return at != nullptr ? at : stop(in.why);
}

}  // namespace apus::codec::http1

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/field_line.hpp"
#include "codec/http1/input.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace apus::codec::http1 {

/// Parses field lines and the final empty line, within `limits`.
/// Writes at most `max_fields` fields to `out` and sets `count`. `read` reads a line, like `read_field_line`. After
/// each line, calls `judge(const field&)`, which returns null or a reason for rejecting the section.
template <class Read, class Judge>
const char* read_section(input& all, const char* at, const head_limits& limits, field* out, std::uint16_t& count,
                         Read read, Judge judge) noexcept {
    const field* last = out + std::min<std::uint32_t>(limits.fields, max_fields);
    const std::size_t most = std::min(limits.field_bytes, max_section_bytes);
    const char* max_end = static_cast<std::size_t>(all.end - at) < most ? all.end : at + most;
    input in = bounded(all, at, most + 2, refusals::fields_too_long);
    const auto stop = [&](const refusal* why) {
        all.why = why;
        return nullptr;
    };

    field* line = out;
    for (; at != in.end && *at != '\r'; ++line) {
        if (line == last) return stop(&refusals::too_many_fields);
        at = read(in, at, *line);
        if (at == nullptr) return stop(in.why);
        if (at > max_end) return stop(&refusals::fields_too_long);
        if (const refusal* why = judge(*line)) return stop(why);
    }
    count = static_cast<std::uint16_t>(line - out);
    if (at == in.end) return stop(in.at_end);
    at = in.line_end(at);
    return at != nullptr ? at : stop(in.why);
}

}  // namespace apus::codec::http1

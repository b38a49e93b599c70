// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/field_line.hpp"

#include "base/ascii.hpp"
#include "base/ascii_scan.hpp"

namespace apus::codec::http1 {
namespace {

/// Sets the reason for rejecting a field name that is not followed by a colon. Returns null.
const char* refuse_name(input& in, const char* at, bool line_begins) noexcept {
    switch (*at) {
        case '\n': return in.refuse(refusals::bare_lf);
        case '\r': return in.line_end(at) != nullptr ? in.refuse(refusals::colon_missing) : nullptr;
        case ' ':
        case '\t': return in.refuse(line_begins ? refusals::folded_line : refusals::space_before_colon);
        default: return in.refuse(refusals::name_byte);
    }
}

}  // namespace

const char* read_field_line(input& in, const char* at, field& out) noexcept {
    const char* colon = base::skip_token(in, at);
    if (colon == in.end) return in.cut_short();
    if (*colon != ':') return refuse_name(in, colon, colon == at);
    if (colon == at) return in.refuse(refusals::name_empty);

    const char* value = colon + 1;
    while (value != in.end && base::is_blank(*value)) ++value;
    const char* line_end = base::skip_value(in, value);
    if (line_end == in.end) return in.cut_short();
    if (*line_end != '\r' && *line_end != '\n') return in.refuse(refusals::value_byte);

    const char* value_end = line_end;
    while (value_end != value && base::is_blank(value_end[-1])) --value_end;
    out.name = in.from(at, colon);
    out.value = in.from(value, value_end);
    return in.line_end(line_end);
}

}  // namespace apus::codec::http1

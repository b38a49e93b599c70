// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/field_line.hpp"

#include "base/ascii.hpp"
#include "base/ascii_scan.hpp"

namespace apus::codec::http1 {
namespace {

/// Why the byte behind a field name is not its colon.
step refuse_name(const char* at, const char* end, bool line_begins) noexcept {
    switch (*at) {
        case '\n': return &refusals::bare_lf;
        case '\r': {
            const step ended = end_of_line(at, end);
            return ended == whole ? &refusals::colon_missing : ended;
        }
        case ' ':
        case '\t': return line_begins ? &refusals::folded_line : &refusals::space_before_colon;
        default: return &refusals::name_byte;
    }
}

}  // namespace

step read_field_line(cursor& in, field& out) noexcept {
    const char* name = in.at;
    const char* colon = base::skip_token(name, in.end);
    if (colon == in.end) return cut_short;
    if (*colon != ':') return refuse_name(colon, in.end, colon == name);
    if (colon == name) return &refusals::name_empty;

    const char* value = colon + 1;
    while (value != in.end && base::is_blank(*value)) ++value;
    const char* line_end = base::skip_value(value, in.end);
    if (line_end == in.end) return cut_short;
    if (*line_end != '\r' && *line_end != '\n') return &refusals::value_byte;
    if (const step ended = end_of_line(line_end, in.end); ended != whole) return ended;

    const char* value_end = line_end;
    while (value_end != value && base::is_blank(value_end[-1])) --value_end;
    out.name = in.from(name, colon);
    out.value = in.from(value, value_end);
    in.at = line_end + 2;
    return whole;
}

}  // namespace apus::codec::http1

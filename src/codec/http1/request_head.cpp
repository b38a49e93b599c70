// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/request_head.hpp"

#include "codec/http1/cursor.hpp"
#include "codec/http1/field_line.hpp"
#include "codec/http1/known_fields.hpp"
#include "codec/http1/request_line.hpp"

#include <algorithm>
#include <cstddef>

namespace apus::codec::http1 {
namespace {

// Clients that are off by a CRLF behind a body are tolerated (RFC 9112, 2.2), for so long.
constexpr unsigned max_empty_lines = 8;

// Slices count in 16 bits: see the bounds in apus::limits.
constexpr std::uint32_t most_bytes = 32 * 1024;

step skip_empty_lines(cursor& in) noexcept {
    for (unsigned lines = 0; in.at != in.end && (*in.at == '\r' || *in.at == '\n'); ++lines) {
        if (lines == max_empty_lines) return &refusals::empty_lines;
        if (const step ended = end_of_line(in.at, in.end); ended != whole) return ended;
        in.at += 2;
    }
    return in.at == in.end ? cut_short : whole;
}

/// Lets `in` see at most `most` bytes from `from` on. True: there are not fewer, so what is cut
/// short within them will not become whole.
bool narrow(cursor& in, const char* from, std::size_t most) noexcept {
    if (static_cast<std::size_t>(in.end - from) < most) return false;
    in.end = from + most;
    return true;
}

step read_first_line(cursor& in, const head_limits& limits, request_head& out) noexcept {
    cursor line = in;
    const bool full = narrow(line, in.begin, std::min(limits.request_line, most_bytes));
    step read = skip_empty_lines(line);
    if (read == whole) read = read_request_line(line, out);
    if (read == cut_short && full) return &refusals::request_line_too_long;
    in.at = line.at;
    return read;
}

step read_fields(cursor& in, const head_limits& limits, known_fields& seen, request_head& out) noexcept {
    const std::uint32_t most_fields = std::min<std::uint32_t>(limits.fields, max_fields);
    const char* last = in.at + std::min(static_cast<std::size_t>(in.end - in.at),
                                        std::size_t{std::min(limits.field_bytes, most_bytes)});
    std::uint32_t count = 0;
    for (; in.at != in.end && *in.at != '\r'; ++count) {
        if (count == most_fields) return &refusals::too_many_fields;
        field& line = out.fields[count];
        if (const step read = read_field_line(in, line); read != whole) return read;
        if (in.at > last) return &refusals::fields_too_long;
        if (const step noted = note_field(in.begin, line, seen, out); noted != whole) return noted;
    }
    if (in.at == in.end) return cut_short;
    if (const step ended = end_of_line(in.at, in.end); ended != whole) return ended;
    in.at += 2;
    out.field_count = static_cast<std::uint16_t>(count);
    return whole;
}

step read_head(cursor& in, const head_limits& limits, request_head& out) noexcept {
    out.host = {0, 0};
    out.content_length = 0;
    out.expects_continue = false;
    if (const step line = read_first_line(in, limits, out); line != whole) return line;

    known_fields seen;
    cursor fields = in;
    const bool full = narrow(fields, in.at, std::size_t{std::min(limits.field_bytes, most_bytes)} + 2);
    const step read = read_fields(fields, limits, seen, out);
    if (read == cut_short && full) return &refusals::fields_too_long;
    in.at = fields.at;
    return read == whole ? conclude(seen, out) : read;
}

}  // namespace

parsed<const request_head*> read_request_head(std::string_view in, const head_limits& limits, request_head& out) noexcept {
    cursor at{in.data(), in.data(), in.data() + in.size()};
    const step read = read_head(at, limits, out);
    if (read == whole) return {outcome::done, &out, static_cast<std::size_t>(at.at - at.begin), nullptr};
    if (read == cut_short) return {outcome::partial, nullptr, 0, nullptr};
    return {outcome::bad, nullptr, 0, read};
}

}  // namespace apus::codec::http1

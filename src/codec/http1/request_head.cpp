// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/request_head.hpp"

#include "codec/http1/cursor.hpp"
#include "codec/http1/known_fields.hpp"
#include "codec/http1/request_line.hpp"
#include "codec/http1/section.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace apus::codec::http1 {
namespace {

// Clients that are off by a CRLF behind a body are tolerated (RFC 9112, 2.2), for so long.
constexpr unsigned max_empty_lines = 8;

step skip_empty_lines(cursor& in) noexcept {
    for (unsigned lines = 0; in.at != in.end && (*in.at == '\r' || *in.at == '\n'); ++lines) {
        if (lines == max_empty_lines) return &refusals::empty_lines;
        if (const step ended = end_of_line(in.at, in.end); ended != whole) return ended;
        in.at += 2;
    }
    return in.at == in.end ? cut_short : whole;
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

step read_head(cursor& in, const head_limits& limits, request_head& out) noexcept {
    out.host = {0, 0};
    out.content_length = 0;
    out.expects_continue = false;
    if (const step line = read_first_line(in, limits, out); line != whole) return line;

    known_fields seen;
    std::uint16_t count = 0;
    const step read = read_section(in, limits, [&](const field& line) noexcept {
        out.fields[count++] = line;
        return note_field(in.begin, line, seen, out);
    });
    out.field_count = count;
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

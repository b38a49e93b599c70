// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/request_head.hpp"

#include "codec/http1/input.hpp"
#include "codec/http1/known_fields.hpp"
#include "codec/http1/request_line.hpp"
#include "codec/http1/section.hpp"

#include <algorithm>
#include <cstdint>

namespace apus::codec::http1 {
namespace {

// Maximum empty lines before a request. Some clients send a CRLF after a body (RFC 9112, 2.2).
constexpr unsigned max_empty_lines = 8;

const char* skip_empty_lines(input& in, const char* at) noexcept {
    for (unsigned lines = 0; at != in.end && (*at == '\r' || *at == '\n'); ++lines) {
        if (lines == max_empty_lines) return in.refuse(refusals::empty_lines);
        at = in.line_end(at);
        if (at == nullptr) return nullptr;
    }
    return at != in.end ? at : in.cut_short();
}

const char* read_head(input& whole, const head_limits& limits, request_head& out) noexcept {
    // Empty lines count as part of the request line, so that slices can address the last field.
    input in =
        bounded(whole, whole.begin, std::min(limits.request_line, max_section_bytes), refusals::request_line_too_long);
    const char* at = skip_empty_lines(in, in.begin);
    if (at != nullptr) at = read_request_line(in, at, out);
    whole.why = in.why;
    if (at == nullptr) return nullptr;

    known_fields seen = 0;
    at = read_section(whole, at, limits, out.fields.data(), out.field_count,
                      [&](const field& line) noexcept { return note_field(whole, line, seen, out); });
    if (at != nullptr) whole.why = determine_framing(seen, out);
    return whole.why == nullptr ? at : nullptr;
}

}  // namespace

parsed<const request_head*> read_request_head(std::string_view in, const head_limits& limits,
                                              request_head& out) noexcept {
    out.host = {0, 0};
    out.content_length = 0;
    out.expects_continue = false;
    input all{{in.data(), in.data() + in.size()}, nullptr, nullptr};
    const char* last = read_head(all, limits, out);
    return outcome_of<const request_head*>(all, last, &out);
}

}  // namespace apus::codec::http1

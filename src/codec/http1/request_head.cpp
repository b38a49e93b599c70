// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/request_head.hpp"

#include "base/ascii.hpp"
#include "base/ascii_scan.hpp"
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

// Reads the usual Host line in one pass, instead of a pass each for the line, its name and its value: a host of
// letters, digits, dots and hyphens, optionally with a port. Returns null, without an effect, for any other line.
const char* read_usual_host(base::readable in, const char* at, field& out) noexcept {
    constexpr std::ptrdiff_t prefix = 6;
    if (in.end - at <= prefix || !base::same_name(at, "host") ||
        base::load_word<std::uint16_t>(at + 4) != base::word_of<std::uint16_t>(": "))
        return nullptr;
    const char* const value = at + prefix;
    const char* last = base::skip_host_name(in, value);
    if (last == value || last == in.end) return nullptr;
    if (*last == ':') {
        const char* const digits = ++last;
        unsigned port = 0;
        for (; last != in.end && base::is_digit(*last) && port <= 0xffff; ++last)
            port = port * 10 + static_cast<unsigned>(*last - '0');
        if (last == digits || port > 0xffff) return nullptr;
    }
    if (in.end - last < 2 || base::load_word<std::uint16_t>(last) != base::word_of<std::uint16_t>("\r\n"))
        return nullptr;
    const auto offset = [&](const char* of) { return static_cast<std::uint16_t>(of - in.begin); };
    out.name = {offset(at), 4};
    out.value = {offset(value), static_cast<std::uint16_t>(last - value)};
    return last + 2;
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
    bool usual_host = false;  // of the line read last
    const auto read = [&](input& in, const char* line_begin, field& line) noexcept {
        const char* const next = (seen & host_given) == 0 ? read_usual_host(in, line_begin, line) : nullptr;
        usual_host = next != nullptr;
        return usual_host ? next : read_field_line(in, line_begin, line);
    };
    const auto judge = [&](const field& line) noexcept -> const refusal* {
        if (!usual_host) return note_field(whole, line, seen, out);
        seen |= host_given;
        if (out.form != target_form::absolute) out.host = line.value;
        return nullptr;
    };
    at = read_section(whole, at, limits, out.fields.data(), out.field_count, read, judge);
    if (at != nullptr) whole.why = determine_framing(seen, out);
    return whole.why == nullptr ? at : nullptr;
}

}  // namespace

parsed<const request_head*> read_request_head(std::string_view in, const head_limits& limits,
                                              request_head& out) noexcept {
    out.host = {0, 0};
    out.content_length = 0;
    out.expects_continue = out.has_trace_parent = false;
    input all{{in.data(), in.data() + in.size()}, nullptr, nullptr};
    const char* last = read_head(all, limits, out);
    return outcome_of<const request_head*>(all, last, &out);
}

}  // namespace apus::codec::http1

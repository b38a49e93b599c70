// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/response_head.hpp"

#include "base/ascii.hpp"
#include "base/ascii_scan.hpp"
#include "codec/http1/framing_fields.hpp"
#include "codec/http1/input.hpp"
#include "codec/http1/section.hpp"

#include <algorithm>

namespace apus::codec::http1 {
namespace {

const char* refuse_status_line(input& in, char byte) noexcept {
    return in.refuse(byte == '\n' ? refusals::bare_lf : refusals::status_line_malformed);
}

/// Parses a version and status, such as "HTTP/1.1 200". In `shape`, `d` stands for a digit.
const char* read_version_and_status(input& in, response_head& out) noexcept {
    constexpr std::string_view shape = "HTTP/d.d ddd";
    const char* at = in.begin;
    for (const char expected : shape) {
        if (at == in.end) return in.cut_short();
        const bool fits = expected == 'd' ? base::is_digit(*at) : *at == expected;
        if (!fits) return refuse_status_line(in, *at);
        ++at;
    }
    if (in.begin[5] != '1') return in.refuse(refusals::version_unsupported);
    const auto digit = [at](int place) { return static_cast<unsigned>(at[place] - '0'); };
    out.minor = in.begin[7] == '0' ? 0 : 1;
    out.status = static_cast<std::uint16_t>(digit(-3) * 100 + digit(-2) * 10 + digit(-1));
    return out.status >= 100 && out.status <= 599 ? at : in.refuse(refusals::status_line_malformed);
}

const char* read_status_line(input& in, response_head& out) noexcept {
    const char* at = read_version_and_status(in, out);
    if (at == nullptr) return nullptr;
    if (at == in.end) return in.cut_short();
    const char* reason = at;
    if (*at == ' ') reason = ++at;
    else if (*at != '\r') return refuse_status_line(in, *at);
    const char* last = base::skip_value(in, at);
    if (last == in.end) return in.cut_short();
    if (*last != '\r' && *last != '\n') return in.refuse(refusals::reason_byte);
    out.reason = in.from(reason, last);
    return in.line_end(last);
}

const refusal* note(std::string_view name, std::string_view value, known_fields& seen, response_head& out) noexcept {
    if (base::same_word(name, "content-length")) return note_length(value, seen, out.content_length);
    if (base::same_word(name, "transfer-encoding")) return note_coding(value, seen, out.minor);
    if (base::same_word(name, "connection")) note_connection(value, seen);
    return nullptr;
}

const refusal* determine_framing(known_fields seen, response_head& out) noexcept {
    const known_fields framed = seen & (length_given | coding_given);
    if (framed == (length_given | coding_given)) return &refusals::length_and_coding;
    out.body = framed == 0 ? framing::until_close : framed == length_given ? framing::sized : framing::chunked;
    out.keep_alive = (seen & close_said) == 0 && (out.minor != 0 || (seen & keep_alive_said) != 0);
    return nullptr;
}

const char* read_head(input& whole, const head_limits& limits, response_head& out) noexcept {
    input in =
        bounded(whole, whole.begin, std::min(limits.request_line, max_section_bytes), refusals::status_line_too_long);
    const char* at = read_status_line(in, out);
    whole.why = in.why;
    if (at == nullptr) return nullptr;

    known_fields seen = 0;
    at = read_section(whole, at, limits, out.fields, out.field_count, read_field_line, [&](const field& line) noexcept {
        return note(line.name.in(whole.begin), line.value.in(whole.begin), seen, out);
    });
    if (at != nullptr) whole.why = determine_framing(seen, out);
    return whole.why == nullptr ? at : nullptr;
}

}  // namespace

parsed<const response_head*> read_response_head(std::string_view in, const head_limits& limits,
                                                response_head& out) noexcept {
    out.content_length = 0;
    input all{{in.data(), in.data() + in.size()}, nullptr, nullptr};
    const char* last = read_head(all, limits, out);
    return outcome_of<const response_head*>(all, last, &out);
}

framing body_of(const response_head& head, bool answers_head) noexcept {
    const bool never = head.status < 200 || head.status == 204 || head.status == 304;
    return answers_head || never ? framing::none : head.body;
}

}  // namespace apus::codec::http1

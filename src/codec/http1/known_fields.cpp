// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/known_fields.hpp"

#include "base/ascii.hpp"
#include "codec/http1/framing_fields.hpp"
#include "codec/http1/host.hpp"

#include "codec/fields/list.hpp"

#include <cstdint>
#include <string_view>

namespace apus::codec::http1 {
namespace {

using base::same_name;

const refusal* note_host(base::readable in, const field& line, known_fields& seen, request_head& out) noexcept {
    if ((seen & host_given) != 0) return &refusals::host_repeated;
    seen |= host_given;
    if (shape_of_host(line.value.in(in.begin), in) == host_shape::malformed) return &refusals::host_malformed;
    if (out.form != target_form::absolute) out.host = line.value;
    return nullptr;
}

const refusal* note_expect(std::string_view value, request_head& out) noexcept {
    if (out.minor == 0) return nullptr;
    while (!value.empty()) {
        const std::string_view expectation = fields::next_of_list(value);
        if (expectation.empty()) continue;
        if (!same_name(expectation, "100-continue")) return &refusals::expectation_unknown;
        out.expects_continue = true;
    }
    return nullptr;
}

}  // namespace

const refusal* note_candidate(base::readable in, const field& line, known_fields& seen, request_head& out) noexcept {
    const char* name = in.begin + line.name.at;
    const std::string_view value = line.value.in(in.begin);
    switch (line.name.size) {
        case 4:
            if (same_name(name, "host")) return note_host(in, line, seen, out);
            break;
        case 6:
            if (same_name(name, "expect")) return note_expect(value, out);
            break;
        case 7:
            if (same_name(name, "upgrade")) seen |= upgrade_given;
            break;
        case 10:
            if (same_name(name, "connection")) note_connection(value, seen);
            break;
        case 11:
            if (same_name(name, "traceparent")) out.has_trace_parent = true;
            break;
        case 14:
            if (same_name(name, "content-length")) return note_length(value, seen, out.content_length);
            break;
        case 17:
            if (same_name(name, "transfer-encoding")) return note_coding(value, seen, out.minor);
            break;
        default: break;
    }
    return nullptr;
}

const refusal* determine_framing(known_fields seen, request_head& out) noexcept {
    const bool http11 = out.minor != 0;
    if (http11 && seen == host_given) {  // most requests
        out.body = framing::none;
        out.keep_alive = true;
        out.wants_upgrade = false;
        return nullptr;
    }
    if (http11 && (seen & host_given) == 0) return &refusals::host_missing;
    const known_fields framed = seen & (length_given | coding_given);
    if (framed == (length_given | coding_given)) return &refusals::length_and_coding;
    out.body = framed == 0 ? framing::none : framed == length_given ? framing::sized : framing::chunked;
    out.keep_alive = (seen & close_said) == 0 && (http11 || (seen & keep_alive_said) != 0);
    out.wants_upgrade = http11 && (~seen & (upgrade_given | upgrade_said)) == 0;
    return nullptr;
}

}  // namespace apus::codec::http1

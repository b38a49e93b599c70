// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/request_line.hpp"

#include "base/ascii.hpp"
#include "base/ascii_scan.hpp"
#include "codec/http1/target.hpp"

#include <cstdint>
#include <string_view>

namespace apus::codec::http1 {
namespace {

using base::load_word;
using base::word_of;

const char* read_method(input& in, const char* at, request_head& out) noexcept {
    if (in.end - at >= 4 && load_word<std::uint32_t>(at) == word_of<std::uint32_t>("GET ")) {
        out.verb = method::get;
        out.verb_text = in.from(at, at + 3);
        return at + 4;
    }
    const char* last = base::skip_kind(at, in.end, base::token_byte);
    if (last == in.end) return in.cut_short();
    if (*last == '\n') return in.refuse(refusals::bare_lf);
    if (last == at || *last != ' ') return in.refuse(refusals::method_not_token);
    out.verb = method_of({at, last});
    out.verb_text = in.from(at, last);
    return last + 1;
}

/// Slow path: parses an unusual or incomplete version byte by byte.
const char* read_unusual_version(input& in, const char* at, request_head& out) noexcept {
    constexpr std::string_view shape = "HTTP/d.d";
    for (const char expected : shape) {
        if (at == in.end) return in.cut_short();
        const bool fits = expected == 'd' ? base::is_digit(*at) : *at == expected;
        if (!fits) return in.refuse(*at == '\n' ? refusals::bare_lf : refusals::version_malformed);
        ++at;
    }
    if (at == in.end) return in.cut_short();
    if (*at != '\r' && *at != '\n') return in.refuse(refusals::version_malformed);
    const char* next = in.line_end(at);
    if (next != nullptr && at[-3] != '1') return in.refuse(refusals::version_unsupported);
    out.minor = at[-1] == '0' ? 0 : 1;
    return next;
}

const char* read_version(input& in, const char* at, request_head& out) noexcept {
    const bool usual = in.end - at >= 10 && load_word<std::uint64_t>(at) == word_of<std::uint64_t>("HTTP/1.1") &&
                       load_word<std::uint16_t>(at + 8) == word_of<std::uint16_t>("\r\n");
    if (!usual) return read_unusual_version(in, at, out);
    out.minor = 1;
    return at + 10;
}

}  // namespace

method method_of(std::string_view text) noexcept {
    switch (text.size()) {
        case 3:
            if (text == "GET") return method::get;
            if (text == "PUT") return method::put;
            break;
        case 4:
            if (text == "POST") return method::post;
            if (text == "HEAD") return method::head;
            break;
        case 5:
            if (text == "PATCH") return method::patch;
            if (text == "TRACE") return method::trace;
            break;
        case 6:
            if (text == "DELETE") return method::del;
            break;
        case 7:
            if (text == "OPTIONS") return method::options;
            if (text == "CONNECT") return method::connect;
            break;
        default: break;
    }
    return method::other;
}

const char* read_request_line(input& in, const char* at, request_head& out) noexcept {
    at = read_method(in, at, out);
    if (at != nullptr) at = read_target(in, at, out);
    if (at != nullptr) at = read_version(in, at, out);
    // Checked last, so that the HTTP/2 preface "PRI * HTTP/2.0" is rejected for its version.
    if (at != nullptr && out.form == target_form::asterisk && out.verb != method::options)
        return in.refuse(refusals::asterisk_without_options);
    return at;
}

}  // namespace apus::codec::http1

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

step read_method(cursor& in, request_head& out) noexcept {
    const char* first = in.at;
    const char* last = base::skip_kind(first, in.end, base::token_byte);
    if (last == in.end) return cut_short;
    if (last == first || *last != ' ') return *last == '\n' ? &refusals::bare_lf : &refusals::method_not_token;
    out.verb = method_of({first, last});
    out.verb_text = in.from(first, last);
    in.at = last + 1;
    return whole;
}

/// The version byte by byte, for when it is not the usual one or not all there.
step read_unusual_version(cursor& in, request_head& out) noexcept {
    constexpr std::string_view shape = "HTTP/d.d";
    const char* at = in.at;
    for (const char expected : shape) {
        if (at == in.end) return cut_short;
        const bool fits = expected == 'd' ? base::is_digit(*at) : *at == expected;
        if (!fits) return *at == '\n' ? &refusals::bare_lf : &refusals::version_malformed;
        ++at;
    }
    if (at == in.end) return cut_short;
    if (*at != '\r' && *at != '\n') return &refusals::version_malformed;
    if (const step ended = end_of_line(at, in.end); ended != whole) return ended;
    if (at[-3] != '1') return &refusals::version_unsupported;
    out.minor = at[-1] == '0' ? 0 : 1;
    in.at = at + 2;
    return whole;
}

step read_version(cursor& in, request_head& out) noexcept {
    const bool usual = in.end - in.at >= 10 &&
                       load_word<std::uint64_t>(in.at) == word_of<std::uint64_t>("HTTP/1.1") &&
                       load_word<std::uint16_t>(in.at + 8) == word_of<std::uint16_t>("\r\n");
    if (!usual) return read_unusual_version(in, out);
    out.minor = 1;
    in.at += 10;
    return whole;
}

}  // namespace

step read_request_line(cursor& in, request_head& out) noexcept {
    cursor at = in;
    if (const step method_read = read_method(at, out); method_read != whole) return method_read;
    if (const step target_read = read_target(at, out); target_read != whole) return target_read;
    if (const step version_read = read_version(at, out); version_read != whole) return version_read;
    // Only now, so that the preface of HTTP/2, "PRI * HTTP/2.0", is told about its version.
    if (out.form == target_form::asterisk && out.verb != method::options) return &refusals::asterisk_without_options;
    in = at;
    return whole;
}

}  // namespace apus::codec::http1

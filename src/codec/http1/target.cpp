// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/target.hpp"

#include "base/ascii.hpp"
#include "base/ascii_scan.hpp"
#include "codec/http1/host.hpp"

#include <string_view>

namespace apus::codec::http1 {
namespace {

/// Why the byte at `at` may not stand in a target.
step refuse_byte(const char* at, const char* end) noexcept {
    switch (*at) {
        case '\n': return &refusals::bare_lf;
        case '\r': {
            const step ended = end_of_line(at, end);
            return ended == whole ? &refusals::version_missing : ended;
        }
        case '#': return &refusals::target_fragment;
        default: return &refusals::target_byte;
    }
}

/// Why a target does not go on with the byte at `at`.
step refuse_form(const char* at, const char* end) noexcept {
    return base::is(*at, base::query_byte) || *at == '%' ? &refusals::target_form : refuse_byte(at, end);
}

/// Judges the two bytes behind a percent sign.
step check_triplet(const char* percent, const char* end) noexcept {
    for (const char* digit = percent + 1; digit <= percent + 2; ++digit) {
        if (digit == end) return cut_short;
        if (base::hex_value(*digit) < 0) return &refusals::target_percent;
    }
    return whole;
}

/// Moves `at` over bytes that `skip` skips and over triplets. Whole: `at` is at another byte.
template <class F>
step skip_triplets(const char*& at, const char* end, bool& percent, F skip) noexcept {
    for (;; at += 3) {
        at = skip(at, end);
        if (at == end) return cut_short;
        if (*at != '%') return whole;
        percent = true;
        if (const step triplet = check_triplet(at, end); triplet != whole) return triplet;
    }
}

/// Reads a query, if `at` is at its question mark, and the space behind the target.
step read_query(cursor& in, const char* at, request_head& out) noexcept {
    out.query = in.from(at, at);
    if (*at == '?') {
        const char* first = ++at;
        bool percent = false;
        if (const step skipped = skip_triplets(at, in.end, percent, base::skip_query); skipped != whole) return skipped;
        out.query = in.from(first, at);
    }
    if (*at != ' ') return refuse_byte(at, in.end);
    out.target = in.from(in.at, at);
    in.at = at + 1;
    return whole;
}

/// Reads from the slash at `path` on.
step read_path(cursor& in, const char* path, request_head& out) noexcept {
    const char* at = path;
    bool percent = false;
    if (const step skipped = skip_triplets(at, in.end, percent, base::skip_path); skipped != whole) return skipped;
    out.path_has_percent = percent;
    out.path = in.from(path, at);
    return read_query(in, at, out);
}

/// The end of what may be an authority, well formed or not.
const char* skip_authority(const char* at, const char* end) noexcept {
    constexpr std::string_view others = ":[]%,";
    while (at != end && (base::is(*at, base::name_of_host_byte) || others.contains(*at))) ++at;
    return at;
}

step read_authority_form(cursor& in, request_head& out) noexcept {
    const char* last = skip_authority(in.at, in.end);
    if (last == in.end) return cut_short;
    if (*last == '/' || *last == '*' || *last == '?' || *last == '@') return &refusals::connect_without_authority;
    if (*last != ' ') return refuse_byte(last, in.end);
    if (shape_of_host({in.at, last}) != host_shape::with_port) return &refusals::connect_without_authority;
    out.form = target_form::authority;
    out.path_has_percent = false;
    out.target = in.from(in.at, last);
    out.path = out.query = in.from(last, last);
    in.at = last + 1;
    return whole;
}

/// Moves `at` over "http://", in any case.
step read_scheme(const char*& at, const char* end) noexcept {
    if (!base::is_letter(*at)) return refuse_form(at, end);
    const char* first = at;
    at = base::skip_kind(at, end, base::scheme_byte);
    if (at == end) return cut_short;
    if (*at == ' ') return &refusals::target_form;
    if (*at != ':') return refuse_form(at, end);
    const std::string_view scheme(first, at);
    if (base::same_word(scheme, "https")) return &refusals::target_https;
    if (!base::same_word(scheme, "http")) return &refusals::target_scheme;
    for (unsigned slashes = 0; slashes < 2; ++slashes) {
        if (++at == end) return cut_short;
        if (*at != '/') return *at == '\r' || *at == '\n' ? refuse_byte(at, end) : &refusals::target_authority;
    }
    ++at;
    return whole;
}

step read_absolute_form(cursor& in, request_head& out) noexcept {
    const char* host = in.at;
    if (const step scheme = read_scheme(host, in.end); scheme != whole) return scheme;
    const char* at = skip_authority(host, in.end);
    if (at == in.end) return cut_short;
    if (*at == '@') return &refusals::target_userinfo;
    if (*at != '/' && *at != '?' && *at != ' ') return refuse_byte(at, in.end);
    const host_shape shape = shape_of_host({host, at});
    if (shape == host_shape::malformed || shape == host_shape::empty) return &refusals::target_authority;
    out.form = target_form::absolute;
    out.host = in.from(host, at);
    if (*at == '/') return read_path(in, at, out);
    out.path_has_percent = false;
    out.path = in.from(host - 1, host);
    return read_query(in, at, out);
}

}  // namespace

step read_target(cursor& in, request_head& out) noexcept {
    if (in.at == in.end) return cut_short;
    if (*in.at == ' ') return &refusals::target_missing;
    if (out.verb == method::connect) return read_authority_form(in, out);
    if (*in.at == '/') {
        out.form = target_form::origin;
        return read_path(in, in.at, out);
    }
    if (*in.at != '*') return read_absolute_form(in, out);
    if (in.end - in.at < 2) return cut_short;
    if (in.at[1] != ' ') return refuse_form(in.at + 1, in.end);
    out.form = target_form::asterisk;
    out.path_has_percent = false;
    out.target = out.path = in.from(in.at, in.at + 1);
    out.query = in.from(in.at + 1, in.at + 1);
    in.at += 2;
    return whole;
}

}  // namespace apus::codec::http1

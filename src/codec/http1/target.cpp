// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/target.hpp"

#include "base/ascii.hpp"
#include "base/ascii_scan.hpp"
#include "codec/http1/host.hpp"

#include <string_view>

namespace apus::codec::http1 {
namespace {

/// Sets the reason why the byte at `at` is invalid in a target. Returns null.
const char* refuse_byte(input& in, const char* at) noexcept {
    switch (*at) {
        case '\n': return in.refuse(refusals::bare_lf);
        case '\r': return in.line_end(at) != nullptr ? in.refuse(refusals::version_missing) : nullptr;
        case '#': return in.refuse(refusals::target_fragment);
        default: return in.refuse(refusals::target_byte);
    }
}

/// Sets the reason why a target cannot continue with the byte at `at`. Returns null.
const char* refuse_form(input& in, const char* at) noexcept {
    return base::is(*at, base::query_byte) || *at == '%' ? in.refuse(refusals::target_form) : refuse_byte(in, at);
}

const char* read_triplet(input& in, const char* percent) noexcept {
    for (const char* digit = percent + 1; digit <= percent + 2; ++digit) {
        if (digit == in.end) return in.cut_short();
        if (base::hex_value(*digit) < 0) return in.refuse(refusals::target_percent);
    }
    return percent + 3;
}

/// Skips bytes by `skip`, and percent-encoded triplets. Returns the first other byte.
template <class F>
const char* skip_triplets(input& in, const char* at, bool& percent, F skip) noexcept {
    while (at != nullptr) {
        at = skip(in, at);
        if (at == in.end) return in.cut_short();
        if (*at != '%') break;
        percent = true;
        at = read_triplet(in, at);
    }
    return at;
}

/// Parses the space after the target. The target begins at `first`.
const char* read_end(input& in, const char* first, const char* at, request_head& out) noexcept {
    if (*at != ' ') return refuse_byte(in, at);
    out.target = in.from(first, at);
    return at + 1;
}

/// Parses the query, if `at` is a question mark, and the space after the target.
const char* read_query(input& in, const char* first, const char* at, request_head& out) noexcept {
    if (*at != '?') {
        out.query = {0, 0};
        return read_end(in, first, at, out);
    }
    bool percent = false;
    const char* last = skip_triplets(in, at + 1, percent, base::skip_query);
    if (last == nullptr) return nullptr;
    out.query = in.from(at + 1, last);
    return read_end(in, first, last, out);
}

/// Parses the path, which begins at `path` with a slash, and the rest of the target.
[[gnu::noinline]] const char* read_path(input& in, const char* first, const char* path, request_head& out) noexcept {
    bool percent = false;
    const char* last = skip_triplets(in, path, percent, base::skip_path);
    if (last == nullptr) return nullptr;
    out.path_has_percent = percent;
    out.path = in.from(path, last);
    return read_query(in, first, last, out);
}

const char* read_origin_form(input& in, const char* at, request_head& out) noexcept {
    out.form = target_form::origin;
    const char* last = base::skip_path(in, at);
    if (last == in.end) return in.cut_short();
    if (*last != ' ') return read_path(in, at, at, out);
    // Fast path for a path without query.
    out.path_has_percent = false;
    out.target = out.path = in.from(at, last);
    out.query = {0, 0};
    return last + 1;
}

/// Returns the end of the bytes that an authority may contain. The authority may be malformed.
const char* skip_authority(input& in, const char* at) noexcept {
    constexpr std::string_view others = ":[]%,";
    while (at != in.end && (base::is(*at, base::name_of_host_byte) || others.contains(*at))) ++at;
    return at;
}

const char* read_authority_form(input& in, const char* at, request_head& out) noexcept {
    const char* last = skip_authority(in, at);
    if (last == in.end) return in.cut_short();
    if (*last != ' ')
        return base::is(*last, base::path_byte) ? in.refuse(refusals::connect_without_authority)
                                                : refuse_byte(in, last);
    if (shape_of_host({at, last}, in) != host_shape::with_port) return in.refuse(refusals::connect_without_authority);
    out.form = target_form::authority;
    out.path_has_percent = false;
    out.path = out.query = {0, 0};
    return read_end(in, at, last, out);
}

/// Reads "http://" or "https://", case-insensitive.
/// Does not check whether the scheme matches the connection.
const char* read_scheme(input& in, const char* first, request_head& out) noexcept {
    if (!base::is_letter(*first)) return refuse_form(in, first);
    const char* at = base::skip_kind(first, in.end, base::scheme_byte);
    if (at == in.end) return in.cut_short();
    if (*at == ' ') return in.refuse(refusals::target_form);
    if (*at != ':') return refuse_form(in, at);
    const std::string_view scheme(first, at);
    out.https = base::same_word(scheme, "https");
    if (!out.https && !base::same_word(scheme, "http")) return in.refuse(refusals::target_scheme);
    for (unsigned slashes = 0; slashes < 2; ++slashes) {
        if (++at == in.end) return in.cut_short();
        if (*at != '/') return *at == '\r' || *at == '\n' ? refuse_byte(in, at) : in.refuse(refusals::target_authority);
    }
    return at + 1;
}

const char* read_absolute_form(input& in, const char* first, request_head& out) noexcept {
    const char* host = read_scheme(in, first, out);
    if (host == nullptr) return nullptr;
    const char* at = skip_authority(in, host);
    if (at == in.end) return in.cut_short();
    if (*at == '@') return in.refuse(refusals::target_userinfo);
    if (*at != '/' && *at != '?' && *at != ' ') return refuse_byte(in, at);
    const host_shape shape = shape_of_host({host, at}, in);
    if (shape == host_shape::malformed || shape == host_shape::empty) return in.refuse(refusals::target_authority);
    out.form = target_form::absolute;
    out.host = in.from(host, at);
    if (*at == '/') return read_path(in, first, at, out);
    out.path_has_percent = false;
    out.path = in.from(host - 1, host);
    return read_query(in, first, at, out);
}

const char* read_asterisk_form(input& in, const char* at, request_head& out) noexcept {
    if (in.end - at < 2) return in.cut_short();
    if (at[1] != ' ') return refuse_form(in, at + 1);
    out.form = target_form::asterisk;
    out.path_has_percent = false;
    out.path = in.from(at, at + 1);
    out.query = {0, 0};
    return read_end(in, at, at + 1, out);
}

}  // namespace

const char* read_target(input& in, const char* at, request_head& out) noexcept {
    if (at == in.end) return in.cut_short();
    if (*at == ' ') return in.refuse(refusals::target_missing);
    if (out.verb == method::connect) return read_authority_form(in, at, out);
    if (*at == '/') return read_origin_form(in, at, out);
    return *at == '*' ? read_asterisk_form(in, at, out) : read_absolute_form(in, at, out);
}

}  // namespace apus::codec::http1

// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/chunk_extension.hpp"

#include "base/ascii.hpp"
#include "base/ascii_scan.hpp"

#include <cstddef>

namespace apus::codec::http1 {
namespace {

// Nobody sends any; this only bounds how much of a line has to be kept until it is whole.
constexpr std::size_t max_bytes = 256;

const char* skip_blanks(const char* at, const char* end) noexcept {
    while (at != end && base::is_blank(*at)) ++at;
    return at;
}

/// Why a byte that does not fit the grammar is refused.
step refuse(char byte) noexcept { return byte == '\n' ? &refusals::bare_lf : &refusals::chunk_extension; }

step skip_quoted(cursor& in) noexcept {
    for (const char* at = in.at + 1; at != in.end; ++at) {
        if (*at == '"') {
            in.at = at + 1;
            return whole;
        }
        if (*at == '\\' && ++at == in.end) return cut_short;
        if (!base::is(*at, base::value_byte)) return refuse(*at);
    }
    return cut_short;
}

step skip_word(cursor& in) noexcept {
    const char* last = base::skip_kind(in.at, in.end, base::token_byte);
    if (last == in.end) return cut_short;
    if (last == in.at) return refuse(*last);
    in.at = last;
    return whole;
}

/// One extension, from the white space before its semicolon on.
step skip_extension(cursor& in) noexcept {
    in.at = skip_blanks(in.at, in.end);
    if (in.at == in.end) return cut_short;
    if (*in.at != ';') return refuse(*in.at);
    in.at = skip_blanks(in.at + 1, in.end);
    if (in.at == in.end) return cut_short;
    if (const step name = skip_word(in); name != whole) return name;

    // White space may come before '=', or before the next ';', but not before the CRLF.
    const char* equals = skip_blanks(in.at, in.end);
    if (equals == in.end) return cut_short;
    if (*equals != '=') return whole;
    in.at = skip_blanks(equals + 1, in.end);
    if (in.at == in.end) return cut_short;
    return *in.at == '"' ? skip_quoted(in) : skip_word(in);
}

}  // namespace

step skip_chunk_extensions(cursor& in) noexcept {
    const char first = *in.at;
    if (first == '\n') return whole;
    if (first != ';' && !base::is_blank(first)) return &refusals::chunk_size_junk;
    cursor at = in;
    const bool full = static_cast<std::size_t>(in.end - in.at) > max_bytes;
    if (full) at.end = in.at + max_bytes;
    for (;;) {
        if (const step extension = skip_extension(at); extension != whole)
            return extension == cut_short && full ? &refusals::chunk_extension_too_long : extension;
        if (at.at == at.end) return full ? &refusals::chunk_extension_too_long : cut_short;
        if (*at.at == '\r' || *at.at == '\n') break;
    }
    in.at = at.at;
    return whole;
}

}  // namespace apus::codec::http1

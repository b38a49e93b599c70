// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/chunk_extension.hpp"

#include "base/ascii.hpp"
#include "base/ascii_scan.hpp"

#include <cstddef>

namespace apus::codec::http1 {
namespace {

// Limits the memory of an incomplete line. Common clients do not send extensions.
constexpr std::size_t max_bytes = 256;

const char* skip_blanks(const char* at, const char* end) noexcept {
    while (at != end && base::is_blank(*at)) ++at;
    return at;
}

/// Sets the reason for rejecting an invalid byte. Returns null.
const char* refuse(input& in, char byte) noexcept {
    return in.refuse(byte == '\n' ? refusals::bare_lf : refusals::chunk_extension);
}

const char* skip_quoted(input& in, const char* quote) noexcept {
    for (const char* at = quote + 1; at != in.end; ++at) {
        if (*at == '"') return at + 1;
        if (*at == '\\' && ++at == in.end) return in.cut_short();
        if (!base::is(*at, base::value_byte)) return refuse(in, *at);
    }
    return in.cut_short();
}

const char* skip_word(input& in, const char* at) noexcept {
    const char* last = base::skip_kind(at, in.end, base::token_byte);
    if (last == in.end) return in.cut_short();
    return last != at ? last : refuse(in, *at);
}

/// Skips one extension, starting at the white space before its semicolon.
const char* skip_extension(input& in, const char* at) noexcept {
    at = skip_blanks(at, in.end);
    if (at == in.end) return in.cut_short();
    if (*at != ';') return refuse(in, *at);
    at = skip_word(in, skip_blanks(at + 1, in.end));
    if (at == nullptr) return nullptr;

    // White space is allowed before '=' and before the next ';', but not before the CRLF.
    const char* equals = skip_blanks(at, in.end);
    if (equals == in.end) return in.cut_short();
    if (*equals != '=') return at;
    const char* value = skip_blanks(equals + 1, in.end);
    if (value == in.end) return in.cut_short();
    return *value == '"' ? skip_quoted(in, value) : skip_word(in, value);
}

}  // namespace

const char* skip_chunk_extensions(input& whole, const char* at) noexcept {
    if (*at == '\n') return at;
    if (*at != ';' && !base::is_blank(*at)) return whole.refuse(refusals::chunk_size_junk);
    input in = bounded(whole, at, max_bytes + 1, refusals::chunk_extension_too_long);
    do {
        at = skip_extension(in, at);
        if (at == in.end) at = in.cut_short();
    } while (at != nullptr && *at != '\r' && *at != '\n');
    whole.why = in.why;
    return at;
}

}  // namespace apus::codec::http1

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Finds the end of white space, and of the bytes of a string that need no special handling.

#include "base/ascii_scan.hpp"

namespace apus::codec::json {

constexpr bool is_space(char c) noexcept { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/// Returns true for bytes of a string that need special handling.
/// These are quotes, backslashes, control characters, and bytes of multi-byte UTF-8 sequences.
constexpr bool stops_text(char c) noexcept { return static_cast<signed char>(c) < 0x20 || c == '"' || c == '\\'; }

#if defined(__SSE2__)
inline unsigned text_stops(__m128i bytes) noexcept {
    // The comparison is signed, so it is true for bytes over 127 too.
    const __m128i low = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20));
    return base::sse2::mask(
        _mm_or_si128(low, _mm_or_si128(base::sse2::equal(bytes, '"'), base::sse2::equal(bytes, '\\'))));
}
#endif

/// Returns the first byte from `at` on for which `stops_text` is true, or `end`.
inline const char* skip_text(const char* at, const char* end) noexcept {
#if defined(__SSE2__)
    for (; end - at >= 16; at += 16) {
        if (const unsigned stops = text_stops(base::sse2::load(at)); stops != 0) return at + __builtin_ctz(stops);
    }
#endif
    while (at != end && !stops_text(*at)) ++at;
    return at;
}

#if defined(__SSE2__)
inline __m128i space_marks(__m128i bytes) noexcept {
    return _mm_or_si128(_mm_or_si128(base::sse2::equal(bytes, ' '), base::sse2::equal(bytes, '\n')),
                        _mm_or_si128(base::sse2::equal(bytes, '\t'), base::sse2::equal(bytes, '\r')));
}
#endif

/// Returns the first byte from `at` on that is not white space (RFC 8259, 2), or `end`.
inline const char* skip_space(const char* at, const char* end) noexcept {
    // White space is usually one space, or a line break with the indentation of the next line.
    if (at == end || !is_space(*at)) return at;
    ++at;
#if defined(__SSE2__)
    for (; end - at >= 16; at += 16) {
        if (const unsigned others = base::sse2::mask(space_marks(base::sse2::load(at))) ^ 0xffffU; others != 0)
            return at + __builtin_ctz(others);
    }
#endif
    while (at != end && is_space(*at)) ++at;
    return at;
}

}  // namespace apus::codec::json

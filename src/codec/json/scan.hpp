// SPDX-License-Identifier: Apache-2.0
#pragma once

// Finds what ends a run of white space, or of the bytes of a text that mean themselves.

#include "base/ascii_scan.hpp"

namespace apus::codec::json {

constexpr bool is_space(char c) noexcept { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/// Whether a byte of a text needs a look: a quote, a backslash, a control byte, or one of a longer
/// sequence of UTF-8.
constexpr bool stops_text(char c) noexcept { return static_cast<signed char>(c) < 0x20 || c == '"' || c == '\\'; }

#if defined(__SSE2__)
inline unsigned text_stops(__m128i bytes) noexcept {
    // Signed: those over 127 are less than a space too.
    const __m128i low = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20));
    return base::sse2::mask(
        _mm_or_si128(low, _mm_or_si128(base::sse2::equal(bytes, '"'), base::sse2::equal(bytes, '\\'))));
}
#endif

/// The first byte from `at` on that stops a text, or `end`.
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

/// The first byte from `at` on that is no white space (RFC 8259, 2), or `end`.
inline const char* skip_space(const char* at, const char* end) noexcept {
    // Nearly all of it is one space, or a line break and the indentation of the next line.
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

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Finds the end of a run of bytes of one class, sixteen bytes at a time with SSE2.

#include "base/ascii.hpp"

#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace apus::base {

/// A readable range of memory.
/// The functions below take the whole range and a position in it. For the bytes at the end, they load the last 16 bytes
/// of the range, which may begin before the position.
struct readable {
    const char* begin;
    const char* end;
};

/// Returns the position of the first byte in [at, end) that is not of `kind`, or `end`.
inline const char* skip_kind(const char* at, const char* end, byte_kind kind) noexcept {
    while (at != end && is(*at, kind)) ++at;
    return at;
}

namespace portable {

/// Skips bytes of a field value, a machine word at a time.
inline const char* skip_value(const char* at, const char* end) noexcept {
    constexpr std::uint64_t ones = 0x0101010101010101;
    constexpr std::uint64_t tops = ones * 0x80;
    while (end - at >= 8) {
        const auto word = load_word<std::uint64_t>(at);
        const std::uint64_t del = word ^ ones * 0x7f;
        // The subtractions can mark a valid byte by a borrow, but only after a byte that is marked correctly. Tabs are
        // marked too. `skip_kind` checks all bytes of a word that has a marked byte.
        const std::uint64_t stops = (((word - ones * 0x20) & ~word) | ((del - ones) & ~del)) & tops;
        if (stops != 0) {
            const char* word_end = at + 8;
            at = skip_kind(at, word_end, value_byte);
            if (at != word_end) return at;
        } else {
            at += 8;
        }
    }
    return skip_kind(at, end, value_byte);
}

inline const char* skip_token(const char* at, const char* end) noexcept { return skip_kind(at, end, token_byte); }
inline const char* skip_path(const char* at, const char* end) noexcept { return skip_kind(at, end, path_byte); }
inline const char* skip_query(const char* at, const char* end) noexcept { return skip_kind(at, end, query_byte); }

inline const char* skip_host_name(const char* at, const char* end) noexcept {
    while (at != end && (is_letter(*at) || is_digit(*at) || *at == '-' || *at == '.')) ++at;
    return at;
}

}  // namespace portable

#if defined(__SSE2__)

namespace sse2 {

inline __m128i load(const char* at) noexcept { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); }
inline __m128i equal(__m128i bytes, char c) noexcept { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); }

/// Marks the bytes in [low, high], compared as unsigned numbers.
inline __m128i between(__m128i bytes, char low, char high) noexcept {
    const __m128i moved = _mm_sub_epi8(bytes, _mm_set1_epi8(low));
    return _mm_cmpeq_epi8(_mm_min_epu8(moved, _mm_set1_epi8(static_cast<char>(high - low))), moved);
}

inline __m128i letters(__m128i bytes) noexcept { return between(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 'z'); }

inline __m128i value_stops(__m128i bytes) noexcept {
    const __m128i control = _mm_andnot_si128(equal(bytes, '\t'), between(bytes, 0, 0x1f));
    return _mm_or_si128(control, equal(bytes, 0x7f));
}

// Letters, digits and hyphens: nearly all tokens and path segments contain only these.
inline __m128i usual_token(__m128i bytes) noexcept {
    return _mm_or_si128(_mm_or_si128(letters(bytes), between(bytes, '0', '9')), equal(bytes, '-'));
}

inline __m128i usual_path(__m128i bytes) noexcept {
    return _mm_or_si128(_mm_or_si128(letters(bytes), between(bytes, '-', '9')), equal(bytes, '_'));
}

inline __m128i host_name(__m128i bytes) noexcept {
    return _mm_or_si128(_mm_or_si128(letters(bytes), between(bytes, '0', '9')), between(bytes, '-', '.'));
}

inline __m128i query_stops(__m128i bytes) noexcept {
    // signed comparison: bytes over 127 are negative
    const __m128i visible = _mm_cmpgt_epi8(bytes, _mm_set1_epi8(0x20));
    const __m128i marks = _mm_or_si128(_mm_or_si128(between(bytes, '"', '#'), equal(bytes, '%')),
                                       _mm_or_si128(equal(bytes, '<'), equal(bytes, '>')));
    const __m128i others = _mm_or_si128(equal(bytes, '\\'), equal(bytes, 0x7f));
    return _mm_or_si128(_mm_andnot_si128(visible, _mm_set1_epi8(-1)), _mm_or_si128(marks, others));
}

inline unsigned mask(__m128i marks) noexcept { return static_cast<unsigned>(_mm_movemask_epi8(marks)); }

/// Whether the range has room for one block of 16 bytes.
inline bool fits(readable in) noexcept { return in.end - in.begin >= 16; }

/// Returns the position of the first byte at or after `at` that `stops_of` marks, or `in.end`.
/// Requires `fits(in)`.
template <class F>
const char* find(readable in, const char* at, F stops_of) noexcept {
    // __builtin_ctz is used since std::countr_zero would test for zero again.
    for (; in.end - at >= 16; at += 16)
        if (const unsigned stops = stops_of(load(at)); stops != 0) return at + __builtin_ctz(stops);
    // The shift removes the marks of the bytes before `at`.
    const unsigned stops = stops_of(load(in.end - 16)) >> (16 - (in.end - at));
    return stops != 0 ? at + __builtin_ctz(stops) : in.end;
}

}  // namespace sse2

#endif

/// Returns the position of the first byte at or after `at` that is not a value byte, or the end.
inline const char* skip_value(readable in, const char* at) noexcept {
#if defined(__SSE2__)
    if (sse2::fits(in)) return sse2::find(in, at, [](__m128i b) { return sse2::mask(sse2::value_stops(b)); });
#endif
    return portable::skip_value(at, in.end);
}

/// Returns the position of the first byte at or after `at` that is invalid in a token, or the end.
inline const char* skip_token(readable in, const char* at) noexcept {
#if defined(__SSE2__)
    if (sse2::fits(in)) {
        at = sse2::find(in, at, [](__m128i b) { return sse2::mask(sse2::usual_token(b)) ^ 0xffffU; });
        if (at == in.end || !is(*at, token_byte)) return at;
    }
#endif
    return portable::skip_token(at, in.end);
}

/// Returns the position of the first byte at or after `at` that is invalid in a path, or the end.
inline const char* skip_path(readable in, const char* at) noexcept {
#if defined(__SSE2__)
    while (sse2::fits(in)) {
        at = sse2::find(in, at, [](__m128i b) { return sse2::mask(sse2::usual_path(b)) ^ 0xffffU; });
        if (at == in.end || !is(*at, path_byte)) return at;
        ++at;
    }
#endif
    return portable::skip_path(at, in.end);
}

/// Returns the position of the first byte at or after `at` that is invalid in a query, or the end.
inline const char* skip_query(readable in, const char* at) noexcept {
#if defined(__SSE2__)
    if (sse2::fits(in)) return sse2::find(in, at, [](__m128i b) { return sse2::mask(sse2::query_stops(b)); });
#endif
    return portable::skip_query(at, in.end);
}

/// Skips letters, digits, dots and hyphens.
/// Returns the position of the first other byte at or after `at`, or the end.
inline const char* skip_host_name(readable in, const char* at) noexcept {
#if defined(__SSE2__)
    if (sse2::fits(in)) return sse2::find(in, at, [](__m128i b) { return sse2::mask(sse2::host_name(b)) ^ 0xffffU; });
#endif
    return portable::skip_host_name(at, in.end);
}

}  // namespace apus::base

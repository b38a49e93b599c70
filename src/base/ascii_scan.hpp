// SPDX-License-Identifier: Apache-2.0
#pragma once

// Finds the end of a run of bytes of one kind, sixteen at a time where the machine can. No load
// reaches over `end`: the last bytes of a buffer are looked at one by one.

#include "base/ascii.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace apus::base {

/// The first byte from `at` on that is not of `kind`, or `end`.
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
        // A borrow can only mark bytes behind a byte that is rightly marked, and the loop below
        // looks at each of them again. Tabs are marked too, for the same loop to pass.
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

}  // namespace portable

#if defined(__SSE2__)

namespace sse2 {

inline __m128i load(const char* at) noexcept { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); }
inline __m128i equal(__m128i bytes, char c) noexcept { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); }

/// Marks the bytes in [low, high], as unsigned numbers.
inline __m128i between(__m128i bytes, char low, char high) noexcept {
    const __m128i moved = _mm_sub_epi8(bytes, _mm_set1_epi8(low));
    return _mm_cmpeq_epi8(_mm_min_epu8(moved, _mm_set1_epi8(static_cast<char>(high - low))), moved);
}

inline __m128i letters(__m128i bytes) noexcept {
    return between(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 'z');
}

inline __m128i value_stops(__m128i bytes) noexcept {
    const __m128i control = _mm_andnot_si128(equal(bytes, '\t'), between(bytes, 0, 0x1f));
    return _mm_or_si128(control, equal(bytes, 0x7f));
}

// Not all of the kind, only what nearly every name and path is made of.
inline __m128i usual_token(__m128i bytes) noexcept {
    return _mm_or_si128(_mm_or_si128(letters(bytes), between(bytes, '0', '9')), equal(bytes, '-'));
}

inline __m128i usual_path(__m128i bytes) noexcept {
    return _mm_or_si128(_mm_or_si128(letters(bytes), between(bytes, '-', '9')), equal(bytes, '_'));
}

inline __m128i query_stops(__m128i bytes) noexcept {
    const __m128i visible = _mm_cmpgt_epi8(bytes, _mm_set1_epi8(0x20));  // signed: over 127 is less
    const __m128i marks = _mm_or_si128(_mm_or_si128(between(bytes, '"', '#'), equal(bytes, '%')),
                                       _mm_or_si128(equal(bytes, '<'), equal(bytes, '>')));
    const __m128i others = _mm_or_si128(equal(bytes, '\\'), equal(bytes, 0x7f));
    return _mm_or_si128(_mm_andnot_si128(visible, _mm_set1_epi8(-1)), _mm_or_si128(marks, others));
}

inline unsigned mask(__m128i marks) noexcept { return static_cast<unsigned>(_mm_movemask_epi8(marks)); }

/// The first byte that `stops_of` marks, of whole blocks of sixteen only; `at` is moved to it.
/// False: there was none, and fewer than sixteen bytes are left.
template <class F>
bool stop_in_blocks(const char*& at, const char* end, F stops_of) noexcept {
    for (; end - at >= 16; at += 16) {
        const unsigned stops = stops_of(load(at));
        if (stops == 0) continue;
        at += std::countr_zero(stops);
        return true;
    }
    return false;
}

}  // namespace sse2

#endif

/// The first byte from `at` on that may not stand in a field value, or `end`.
inline const char* skip_value(const char* at, const char* end) noexcept {
#if defined(__SSE2__)
    if (sse2::stop_in_blocks(at, end, [](__m128i b) { return sse2::mask(sse2::value_stops(b)); })) return at;
#endif
    return portable::skip_value(at, end);
}

/// The first byte from `at` on that may not stand in a token, or `end`.
inline const char* skip_token(const char* at, const char* end) noexcept {
#if defined(__SSE2__)
    const auto stops = [](__m128i b) { return sse2::mask(sse2::usual_token(b)) ^ 0xffffU; };
    if (sse2::stop_in_blocks(at, end, stops) && !is(*at, token_byte)) return at;
#endif
    return portable::skip_token(at, end);
}

/// The first byte from `at` on that may not stand in a path, or `end`.
inline const char* skip_path(const char* at, const char* end) noexcept {
#if defined(__SSE2__)
    const auto stops = [](__m128i b) { return sse2::mask(sse2::usual_path(b)) ^ 0xffffU; };
    while (sse2::stop_in_blocks(at, end, stops)) {
        if (!is(*at, path_byte)) return at;
        ++at;
    }
#endif
    return portable::skip_path(at, end);
}

/// The first byte from `at` on that may not stand in a query, or `end`.
inline const char* skip_query(const char* at, const char* end) noexcept {
#if defined(__SSE2__)
    if (sse2::stop_in_blocks(at, end, [](__m128i b) { return sse2::mask(sse2::query_stops(b)); })) return at;
#endif
    return portable::skip_query(at, end);
}

}  // namespace apus::base

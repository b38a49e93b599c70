// SPDX-License-Identifier: Apache-2.0
#include "base/utf8_blocks.hpp"

// Algorithm of Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte" (2020). Three table lookups
// yield possible errors: by the upper half of a byte, by its lower half, and by the upper half of the next byte. An
// error is real if all three lookups yield it. The rest of the algorithm checks that third and fourth bytes are
// continuations exactly where a lead byte requires them.

#if defined(__x86_64__)

#include <cstdint>
#include <cstring>

#include <tmmintrin.h>

namespace apus::base {
namespace {

enum fault : unsigned {
    cut_short = 1,       // lead byte without continuation
    no_lead = 2,         // continuation after ASCII
    three_for_less = 4,  // E0 80 to E0 9F
    over_large = 8,      // F4 90 and above
    surrogate = 16,      // ED A0 and above
    two_for_less = 32,   // C0 and C1
    four_for_less = 64,  // F0 80 to F0 8F, and F5 80 and above
    two_continuations = 128,
};
constexpr unsigned any_low = cut_short | no_lead | two_continuations;
constexpr unsigned lead_f = over_large | four_for_less;

struct table {
    std::uint8_t of[16];
};

consteval table by_first_high() {
    table t{};
    for (unsigned i = 0; i < 8; ++i) t.of[i] = no_lead;
    for (unsigned i = 8; i < 12; ++i) t.of[i] = two_continuations;
    t.of[12] = cut_short | two_for_less;
    t.of[13] = cut_short;
    t.of[14] = cut_short | three_for_less | surrogate;
    t.of[15] = cut_short | lead_f;
    return t;
}

consteval table by_first_low() {
    table t{};
    for (auto& e : t.of) e = any_low;
    t.of[0] |= two_for_less | three_for_less | four_for_less;
    t.of[1] |= two_for_less;
    for (unsigned i = 4; i < 16; ++i) t.of[i] |= over_large;
    for (unsigned i = 5; i < 16; ++i) t.of[i] |= four_for_less;
    t.of[13] |= surrogate;
    return t;
}

consteval table by_second_high() {
    table t{};
    for (auto& e : t.of) e = cut_short;
    constexpr unsigned any = no_lead | two_continuations | two_for_less;
    t.of[8] = any | three_for_less | four_for_less;
    t.of[9] = any | three_for_less | over_large;
    t.of[10] = t.of[11] = any | surrogate | over_large;
    return t;
}

constexpr table first_high = by_first_high(), first_low = by_first_low(), second_high = by_second_high();

[[gnu::target("ssse3")]] inline __m128i load(const void* at) noexcept {
    return _mm_loadu_si128(static_cast<const __m128i*>(at));
}

[[gnu::target("ssse3")]] inline __m128i high_halves(__m128i bytes) noexcept {
    return _mm_and_si128(_mm_srli_epi16(bytes, 4), _mm_set1_epi8(15));
}

// Returns the errors in a block, given the previous block.
[[gnu::target("ssse3")]] inline __m128i faults(__m128i before, __m128i block) noexcept {
    const __m128i one_back = _mm_alignr_epi8(block, before, 15);
    const __m128i two_back = _mm_alignr_epi8(block, before, 14);
    const __m128i three_back = _mm_alignr_epi8(block, before, 13);
    const __m128i pairs =
        _mm_and_si128(_mm_and_si128(_mm_shuffle_epi8(load(&first_high), high_halves(one_back)),
                                    _mm_shuffle_epi8(load(&first_low), _mm_and_si128(one_back, _mm_set1_epi8(15)))),
                      _mm_shuffle_epi8(load(&second_high), high_halves(block)));
    // The subtraction leaves the highest bit set where the byte is at least E0, or at least F0.
    const __m128i third = _mm_subs_epu8(two_back, _mm_set1_epi8(static_cast<char>(0xe0 - 0x80)));
    const __m128i fourth = _mm_subs_epu8(three_back, _mm_set1_epi8(static_cast<char>(0xf0 - 0x80)));
    const __m128i due = _mm_and_si128(_mm_or_si128(third, fourth), _mm_set1_epi8(static_cast<char>(two_continuations)));
    return _mm_xor_si128(due, pairs);
}

[[gnu::target("ssse3")]] bool check(std::string_view text) noexcept {
    __m128i before = _mm_setzero_si128();
    __m128i wrong = _mm_setzero_si128();
    for (; text.size() >= 16; text.remove_prefix(16)) {
        const __m128i block = load(text.data());
        wrong = _mm_or_si128(wrong, faults(before, block));
        before = block;
    }
    // The zeros after the text make a truncated sequence invalid.
    char last[16] = {};
    if (!text.empty()) std::memcpy(last, text.data(), text.size());
    wrong = _mm_or_si128(wrong, faults(before, load(last)));
    return _mm_movemask_epi8(_mm_cmpeq_epi8(wrong, _mm_setzero_si128())) == 0xffff;
}

}  // namespace

bool is_utf8_by_blocks(std::string_view text) noexcept { return check(text); }
bool has_utf8_blocks() noexcept { return __builtin_cpu_supports("ssse3"); }

}  // namespace apus::base

#else

namespace apus::base {

bool is_utf8_by_blocks(std::string_view) noexcept { return false; }
bool has_utf8_blocks() noexcept { return false; }

}  // namespace apus::base

#endif

// SPDX-License-Identifier: Apache-2.0
#include "codec/websocket/mask.hpp"

#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace apus::codec::websocket {
namespace {

std::uint32_t turned(std::uint32_t mask, unsigned bytes) noexcept {
    const int bits = static_cast<int>(bytes * 8);
    return std::endian::native == std::endian::little ? std::rotr(mask, bits) : std::rotl(mask, bits);
}

template <class Word>
void apply(char* at, Word mask) noexcept {
    Word word;
    std::memcpy(&word, at, sizeof word);
    word ^= mask;
    std::memcpy(at, &word, sizeof word);
}

}  // namespace

void apply_mask(char* bytes, std::size_t size, std::uint32_t mask, std::uint64_t offset) noexcept {
    mask = turned(mask, offset & 3);
    const std::uint64_t twice = std::uint64_t{mask} << 32 | mask;
    char* const end = bytes + size;
#if defined(__SSE2__)
    const __m128i four_times = _mm_set1_epi32(static_cast<int>(mask));
    const auto sixteen = [four_times](char* at) {
        auto* block = reinterpret_cast<__m128i*>(at);
        _mm_storeu_si128(block, _mm_xor_si128(_mm_loadu_si128(block), four_times));
    };
    for (; end - bytes >= 32; bytes += 32) sixteen(bytes), sixteen(bytes + 16);
    if (end - bytes >= 16) sixteen(bytes), bytes += 16;
#endif
    for (; end - bytes >= 8; bytes += 8) apply(bytes, twice);
    if (end - bytes >= 4) apply(bytes, mask), bytes += 4;
    char rest[4];
    std::memcpy(rest, &mask, sizeof rest);
    for (unsigned i = 0; bytes < end; ++bytes, ++i) *bytes = static_cast<char>(*bytes ^ rest[i]);
}

}  // namespace apus::codec::websocket

// SPDX-License-Identifier: Apache-2.0
#include "base/keyed_hash.hpp"

#include <bit>
#include <cstddef>

namespace apus::base {
namespace {

// Reads a little-endian number, on every machine.
std::uint64_t word_of(const char* bytes, std::size_t count) noexcept {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < count; ++i) word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    return word;
}

struct sip_state {
    std::uint64_t a, b, c, d;

    void round() noexcept {
        a += b, c += d;
        b = std::rotl(b, 13) ^ a, d = std::rotl(d, 16) ^ c;
        a = std::rotl(a, 32);
        c += b, a += d;
        b = std::rotl(b, 17) ^ c, d = std::rotl(d, 21) ^ a;
        c = std::rotl(c, 32);
    }
    void take(std::uint64_t word) noexcept {
        d ^= word;
        round(), round();
        a ^= word;
    }
};

}  // namespace

std::uint64_t keyed_hash(std::string_view text, const hash_secret& secret) noexcept {
    sip_state s{secret[0] ^ 0x736f6d6570736575, secret[1] ^ 0x646f72616e646f6d,  // constants of SipHash
                secret[0] ^ 0x6c7967656e657261, secret[1] ^ 0x7465646279746573};
    const std::size_t whole = text.size() & ~std::size_t{7};
    for (std::size_t at = 0; at < whole; at += 8) s.take(word_of(text.data() + at, 8));
    s.take(word_of(text.data() + whole, text.size() - whole) | std::uint64_t{text.size()} << 56);
    s.c ^= 0xff;
    for (int i = 0; i < 4; ++i) s.round();
    return s.a ^ s.b ^ s.c ^ s.d;
}

}  // namespace apus::base

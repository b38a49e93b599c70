// SPDX-License-Identifier: Apache-2.0
#include "codec/websocket/accept_key.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

// Implements SHA-1 (FIPS 180-4, 6.1) for texts of the size of a key and `guid`, so that programs with WebSockets need
// no cryptographic library at run time.

namespace apus::codec::websocket {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
constexpr std::size_t key_size = 24, block_size = 64;

using state = std::array<std::uint32_t, 5>;

struct round_kind {
    std::uint32_t (*mix)(std::uint32_t, std::uint32_t, std::uint32_t);
    std::uint32_t constant;
};
constexpr round_kind rounds[] = {
    {[](std::uint32_t b, std::uint32_t c, std::uint32_t d) { return (b & c) | (~b & d); }, 0x5a827999},
    {[](std::uint32_t b, std::uint32_t c, std::uint32_t d) { return b ^ c ^ d; }, 0x6ed9eba1},
    {[](std::uint32_t b, std::uint32_t c, std::uint32_t d) { return (b & c) | (b & d) | (c & d); }, 0x8f1bbcdc},
    {[](std::uint32_t b, std::uint32_t c, std::uint32_t d) { return b ^ c ^ d; }, 0xca62c1d6},
};

void take_block(state& h, const unsigned char* block) noexcept {
    std::uint32_t words[80];
    for (std::size_t i = 0; i < 16; ++i)
        words[i] = std::uint32_t{block[4 * i]} << 24 | std::uint32_t{block[4 * i + 1]} << 16 |
                   std::uint32_t{block[4 * i + 2]} << 8 | block[4 * i + 3];
    for (std::size_t i = 16; i < 80; ++i)
        words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    auto [a, b, c, d, e] = h;
    for (std::size_t i = 0; i < 80; ++i) {
        const round_kind& kind = rounds[i / 20];
        const std::uint32_t next = std::rotl(a, 5) + kind.mix(b, c, d) + e + kind.constant + words[i];
        e = d, d = c, c = std::rotl(b, 30), b = a, a = next;
    }
    h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e;
}

accept_text base64_of(const unsigned char (&digest)[21]) noexcept {
    accept_text out{};
    for (std::size_t i = 0; i < 7; ++i) {
        const unsigned char* from = digest + 3 * i;
        const std::uint32_t bits = std::uint32_t{from[0]} << 16 | std::uint32_t{from[1]} << 8 | from[2];
        for (std::size_t j = 0; j < 4; ++j) out[4 * i + j] = alphabet[bits >> (18 - 6 * j) & 63];
    }
    out.back() = '=';  // padding: the last group has two of three bytes
    return out;
}

}  // namespace

accept_text accept_key(std::string_view key) noexcept {
    unsigned char blocks[2 * block_size] = {};
    key = key.substr(0, key_size);
    const std::size_t size = key.size() + guid.size();
    if (!key.empty()) std::memcpy(blocks, key.data(), key.size());
    std::memcpy(blocks + key.size(), guid.data(), guid.size());
    blocks[size] = 0x80;
    const std::size_t all = size + 9 <= block_size ? block_size : 2 * block_size;
    blocks[all - 2] = static_cast<unsigned char>(size * 8 >> 8);
    blocks[all - 1] = static_cast<unsigned char>(size * 8);

    state h = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    for (std::size_t at = 0; at < all; at += block_size) take_block(h, blocks + at);
    unsigned char digest[21] = {};
    for (std::size_t i = 0; i < 20; ++i) digest[i] = static_cast<unsigned char>(h[i / 4] >> (24 - 8 * (i % 4)));
    return base64_of(digest);
}

bool is_key(std::string_view text) noexcept {
    if (text.size() != key_size || !text.ends_with("==")) return false;
    text.remove_suffix(2);
    if (!std::ranges::all_of(text, [](char c) { return alphabet.contains(c); })) return false;
    return alphabet.find(text.back()) % 16 == 0;  // the unused bits of the last digit are zero
}

}  // namespace apus::codec::websocket

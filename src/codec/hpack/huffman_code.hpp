// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

// The Huffman code of HPACK and QPACK (RFC 7541, appendix B). The code is canonical, so the lengths determine the
// codes.

namespace apus::codec::hpack {

constexpr unsigned end_of_string = 256;
constexpr unsigned longest_code = 30;  // bits

/// Length in bits of the code for each byte, and for the end of a string.
constexpr std::array<std::uint8_t, 257> code_sizes = {
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,  //
    28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,  //
    6,  10, 10, 12, 13, 6,  8,  11, 10, 10, 8,  11, 8,  6,  6,  6,   // ' '
    5,  5,  5,  6,  6,  6,  6,  6,  6,  6,  7,  8,  15, 6,  12, 10,  // '0'
    13, 6,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,   // '@'
    7,  7,  7,  7,  7,  7,  7,  7,  8,  7,  8,  13, 19, 13, 14, 6,   // 'P'
    15, 5,  6,  5,  6,  5,  6,  6,  6,  5,  7,  7,  6,  6,  6,  5,   // '`'
    6,  7,  6,  5,  5,  6,  7,  7,  7,  7,  7,  15, 11, 14, 13, 28,  // 'p'
    20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,  // 0x80
    24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,  //
    22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,  //
    21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,  //
    26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,  // 0xc0
    19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,  //
    20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,  //
    26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,  //
    30,
};

namespace detail {

/// Codes in the order of their lengths, and of their symbols for equal lengths.
struct canonical_code {
    std::array<std::uint32_t, 257> codes{};                // right-aligned
    std::array<std::uint16_t, 257> symbols{};              // in the order of their codes
    std::array<std::uint16_t, longest_code + 2> first{};   // position in `symbols`, for each length
    std::array<std::uint64_t, longest_code + 2> starts{};  // the first code of each length, left-aligned in 32 bits
    std::array<std::uint64_t, longest_code + 2> ends{};    // end of the codes of each length, left-aligned in 32 bits

    consteval canonical_code() {
        std::uint64_t next = 0;
        std::uint16_t count = 0;
        for (unsigned size = 1; size <= longest_code; ++size) {
            first[size] = count;
            starts[size] = next;
            for (unsigned symbol = 0; symbol < code_sizes.size(); ++symbol) {
                if (code_sizes[symbol] != size) continue;
                codes[symbol] = static_cast<std::uint32_t>(next >> (32 - size));
                symbols[count++] = static_cast<std::uint16_t>(symbol);
                next += std::uint64_t{1} << (32 - size);
            }
            ends[size] = next;
        }
    }
};

}  // namespace detail

inline constexpr detail::canonical_code huffman_code;
static_assert(huffman_code.ends[longest_code] == std::uint64_t{1} << 32, "the code must be complete");

/// Returns the size of `text` in Huffman code, in bytes.
constexpr std::size_t huffman_size(std::string_view text) noexcept {
    std::size_t bits = 0;
    for (const char c : text) bits += code_sizes[static_cast<unsigned char>(c)];
    return (bits + 7) / 8;
}

/// Writes `text` in Huffman code and returns the end. Writes exactly `huffman_size(text)` bytes.
constexpr char* write_huffman(char* to, std::string_view text) noexcept {
    std::uint64_t pending = 0;
    unsigned bits = 0;  // number of bits in `pending`, less than 32
    for (const char c : text) {
        const auto symbol = static_cast<unsigned char>(c);
        pending = pending << code_sizes[symbol] | huffman_code.codes[symbol];
        bits += code_sizes[symbol];
        if (bits < 32) continue;
        bits -= 32;
        for (const unsigned down : {24U, 16U, 8U, 0U}) *to++ = static_cast<char>(pending >> (bits + down));
    }
    for (; bits >= 8; bits -= 8) *to++ = static_cast<char>(pending >> (bits - 8));
    if (bits != 0) *to++ = static_cast<char>(pending << (8 - bits) | 0xffU >> bits);
    return to;
}

}  // namespace apus::codec::hpack

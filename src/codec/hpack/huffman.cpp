// SPDX-License-Identifier: Apache-2.0
#include "codec/hpack/huffman.hpp"

#include "codec/hpack/errors.hpp"
#include "codec/hpack/huffman_code.hpp"

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>

namespace apus::codec::hpack {
namespace {

// Most texts have codes of 5 to 7 bits, so a lookup usually decodes two bytes. The table has 8 KiB.
constexpr unsigned lookup_bits = 11;

struct symbol {
    unsigned value;
    unsigned size;  // bits
};

// Finds the first symbol of `window`, the next 32 bits.
constexpr symbol symbol_at(std::uint32_t window, unsigned at_least) noexcept {
    unsigned size = at_least;
    while (window >= huffman_code.ends[size]) ++size;
    const std::uint64_t number = (window - huffman_code.starts[size]) >> (32 - size);
    return {huffman_code.symbols[huffman_code.first[size] + number], size};
}

// One or two symbols; zero symbols if the next code is longer than `lookup_bits`.
struct lookup {
    char texts[2];
    std::uint8_t size;  // bits of all symbols
    std::uint8_t count;
};

struct lookup_table {
    std::array<lookup, 1U << lookup_bits> of{};
    consteval lookup_table() {
        for (std::uint32_t i = 0; i < of.size(); ++i) {
            const std::uint32_t window = i << (32 - lookup_bits);
            const symbol a = symbol_at(window, 5);
            if (a.size > lookup_bits) continue;
            const symbol b = symbol_at(window << a.size, 5);
            const bool both = a.size + b.size <= lookup_bits;
            of[i] = {{static_cast<char>(a.value), static_cast<char>(both ? b.value : 0)},
                     static_cast<std::uint8_t>(both ? a.size + b.size : a.size),
                     static_cast<std::uint8_t>(both ? 2 : 1)};
        }
    }
};
constexpr lookup_table lookups;

const lookup& lookup_at(std::uint64_t bits) noexcept { return lookups.of[bits >> (64 - lookup_bits)]; }

template <std::unsigned_integral T>
std::uint64_t load_big_endian(const char* at) noexcept {
    T word;
    std::memcpy(&word, at, sizeof word);
    if constexpr (std::endian::native == std::endian::big) return word;
    if constexpr (sizeof word == 8) return __builtin_bswap64(word);
    else if constexpr (sizeof word == 4) return __builtin_bswap32(word);
    else if constexpr (sizeof word == 2) return __builtin_bswap16(word);
    else return word;
}

// Returns the bytes of `text` from `at` on, fewer than eight, in the highest bits. The other bits are ones, like the
// padding; only the code of the end of a string begins with that many ones.
std::uint64_t load_rest(std::string_view text, std::size_t at) noexcept {
    const auto rest = static_cast<unsigned>(text.size() - at);
    if (rest == 0) return ~std::uint64_t{0};
    const char* from = text.data() + at;
    const unsigned below = 64 - 8 * rest;
    std::uint64_t word;
    if (text.size() >= 8) word = load_big_endian<std::uint64_t>(text.data() + text.size() - 8) << below;
    else if (rest >= 4)
        word = load_big_endian<std::uint32_t>(from) << 32 | load_big_endian<std::uint32_t>(from + rest - 4) << below;
    else if (rest >= 2)
        word = load_big_endian<std::uint16_t>(from) << 48 | load_big_endian<std::uint16_t>(from + rest - 2) << below;
    else word = load_big_endian<std::uint8_t>(from) << 56;
    return word | ~std::uint64_t{0} >> (8 * rest);
}

// Returns the text's bits from `bit` on: at least 57, or all remaining bits. The other bits are ones.
std::uint64_t window_at(std::string_view text, std::size_t bit) noexcept {
    const std::size_t at = bit / 8;
    const std::uint64_t word =
        text.size() - at >= 8 ? load_big_endian<std::uint64_t>(text.data() + at) : load_rest(text, at);
    return ~(~word << bit % 8);
}

symbol symbol_of(std::uint64_t window, unsigned at_least) noexcept {
    return symbol_at(static_cast<std::uint32_t>(window >> 32), at_least);
}

// Checks that the remaining bits, which are not a whole code, are valid padding (RFC 7541, 5.2).
const refusal* check_padding(std::uint64_t window, std::size_t left) noexcept {
    return left < 8 && window == ~std::uint64_t{0} ? nullptr : &errors::huffman_padding;
}

// Decodes one code at a time. Returns null if the string is valid.
template <class F>
const refusal* read_codes(std::string_view text, F put) noexcept {
    for (std::size_t bit = 0;;) {
        const std::size_t left = 8 * text.size() - bit;
        const std::uint64_t window = window_at(text, bit);
        const symbol found = symbol_of(window, 5);
        if (found.size > left) return check_padding(window, left);
        if (found.value == end_of_string) return &errors::huffman_end_of_string;
        put(static_cast<char>(found.value));
        bit += found.size;
    }
}

huffman_text refuse(const refusal& why) noexcept { return {nullptr, false, &why}; }

// Decodes the bits from `bit` on, fewer than 64.
huffman_text read_tail(std::string_view text, std::size_t bit, char* to, bool usual) noexcept {
    auto left = static_cast<unsigned>(8 * text.size() - bit);
    std::uint64_t window = window_at(text, bit);
    while (true) {
        const lookup found = lookup_at(window);
        unsigned used = found.size;
        if (found.count != 0 && used <= left) {
            to[0] = found.texts[0];
            if (found.count == 2) to[1] = found.texts[1];
            to += found.count;
        } else if (found.count == 2 && code_sizes[static_cast<unsigned char>(found.texts[0])] <= left) {
            used = code_sizes[static_cast<unsigned char>(found.texts[0])];
            *to++ = found.texts[0];
        } else {
            const symbol longer = symbol_of(window, 5);
            if (longer.size > left) break;
            if (longer.value == end_of_string) return refuse(errors::huffman_end_of_string);
            *to++ = static_cast<char>(longer.value);
            used = longer.size;
            usual = false;
        }
        window = ~(~window << used);
        left -= used;
    }
    if (const refusal* why = check_padding(window, left); why != nullptr) return refuse(*why);
    return {to, usual};
}

}  // namespace

huffman_text read_huffman(std::string_view text, char* to) noexcept {
    bool usual = true;
    std::size_t bit = 0;
    while (text.size() - bit / 8 >= 8) {
        std::uint64_t window = load_big_endian<std::uint64_t>(text.data() + bit / 8) << bit % 8;
        lookup found;
        // Five lookups need 55 of the 57 bits. Writing two bytes is always within the room, because enough bits for two
        // codes follow.
        for (int i = 0; i < 5; ++i) {
            found = lookup_at(window);
            std::memcpy(to, found.texts, 2);
            to += found.count;
            window <<= found.size;
            bit += found.size;
        }
        if (found.count != 0) [[likely]]
            continue;
        const symbol longer = symbol_of(window_at(text, bit), lookup_bits + 1);
        if (longer.size > 8 * text.size() - bit) break;
        if (longer.value == end_of_string) return refuse(errors::huffman_end_of_string);
        *to++ = static_cast<char>(longer.value);
        bit += longer.size;
        usual = false;
    }
    return read_tail(text, bit, to, usual);
}

huffman_text read_huffman_exactly(std::string_view text, char* to) noexcept {
    const refusal* why = read_codes(text, [&to](char c) { *to++ = c; });
    return why == nullptr ? huffman_text{to, false} : refuse(*why);
}

std::size_t measure_huffman(std::string_view text, const refusal*& why) noexcept {
    std::size_t size = 0;
    if (const refusal* found = read_codes(text, [&size](char) { ++size; }); found != nullptr) why = found;
    return size;
}

}  // namespace apus::codec::hpack

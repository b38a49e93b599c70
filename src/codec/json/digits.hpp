// SPDX-License-Identifier: Apache-2.0
#pragma once

// Writes numbers as JSON: short numbers by inline code, other numbers by the standard library.

#include <charconv>
#include <cstdint>
#include <cstring>

namespace apus::codec::json {

constexpr std::size_t longest_number = 32;  ///< Maximum bytes that each function writes.

namespace digits {

struct pair_table {
    char at[200];
};
consteval pair_table make_pairs() {
    pair_table made{};
    for (int i = 0; i < 100; ++i)
        made.at[2 * i] = static_cast<char>('0' + i / 10), made.at[2 * i + 1] = static_cast<char>('0' + i % 10);
    return made;
}
inline constexpr pair_table pairs = make_pairs();

inline char* put_pair(char* to, unsigned number) noexcept {
    std::memcpy(to, pairs.at + 2 * number, 2);
    return to + 2;
}

}  // namespace digits

inline char* put_natural(char* to, std::uint64_t number) noexcept {
    if (number >= 10'000) return std::to_chars(to, to + longest_number, number).ptr;
    const auto low = static_cast<unsigned>(number % 100), high = static_cast<unsigned>(number / 100);
    if (high >= 10) to = digits::put_pair(to, high);
    else if (high > 0) *to++ = static_cast<char>('0' + high);
    else if (low < 10) return *to = static_cast<char>('0' + low), to + 1;
    return digits::put_pair(to, low);
}

inline char* put_integer(char* to, std::int64_t number) noexcept {
    if (number >= 0) return put_natural(to, static_cast<std::uint64_t>(number));
    *to = '-';
    return put_natural(to + 1, 0 - static_cast<std::uint64_t>(number));
}

/// Writes the shortest text that parses to the same number. The number must be finite.
inline char* put_double(char* to, double number) noexcept {
    // Fast path for numbers with up to three decimals, such as prices. This form is the shortest: no shorter decimal
    // parses to the same double, and an exponent would not shorten it.
    const double size = number < 0 ? -number : number;
    if (size >= 0.001 && size < 100'000) {
        const double exact = size * 1000;
        auto thousandths = static_cast<std::uint32_t>(exact);
        thousandths += exact - thousandths >= 0.5;
        if (static_cast<double>(thousandths) / 1000 == size) {
            if (number < 0) *to++ = '-';
            to = put_natural(to, thousandths / 1000);
            unsigned rest = thousandths % 1000;
            if (rest == 0) return to;
            *to++ = '.';
            *to++ = static_cast<char>('0' + rest / 100);
            rest %= 100;
            if (rest == 0) return to;
            to = digits::put_pair(to, rest);
            return to - (to[-1] == '0');
        }
    }
    return std::to_chars(to, to + longest_number, number).ptr;
}

}  // namespace apus::codec::json

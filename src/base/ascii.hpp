// SPDX-License-Identifier: Apache-2.0
#pragma once

// Character classes of the grammars of RFC 9110 and RFC 3986. They do not depend on the locale.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace apus::base {

/// Character classes; a byte may be in several classes.
/// The URI classes exclude the percent sign, which is valid only before two hexadecimal digits.
enum byte_kind : std::uint8_t {
    token_byte = 1,          ///< RFC 9110, 5.6.2: method and field names.
    value_byte = 2,          ///< Field values: visible characters, space, tab, and bytes over 127.
    path_byte = 4,           ///< RFC 3986, 3.3: pchar and '/'.
    query_byte = 8,          ///< Visible ASCII that browsers do not encode in a query.
    name_of_host_byte = 16,  ///< RFC 3986, 3.2.2: reg-name, without the comma.
    scheme_byte = 32,        ///< RFC 3986, 3.1: characters after the first letter.
};

namespace detail {

consteval std::array<std::uint8_t, 256> make_kinds() {
    constexpr std::string_view token_marks = "!#$%&'*+-.^_`|~";
    constexpr std::string_view unreserved_marks = "-._~";
    constexpr std::string_view sub_delims = "!$&'()*+,;=";
    constexpr std::string_view never_in_query = "\"#%<>\\";
    std::array<std::uint8_t, 256> kinds{};
    for (unsigned b = 0; b < 256; ++b) {
        const char c = static_cast<char>(b);
        const bool digit = b >= '0' && b <= '9';
        const bool letter = (b >= 'A' && b <= 'Z') || (b >= 'a' && b <= 'z');
        const bool word = digit || letter;
        const bool visible = b > 0x20 && b < 0x7f;
        const bool unreserved = word || unreserved_marks.contains(c);
        unsigned kind = 0;
        if (word || token_marks.contains(c)) kind |= token_byte;
        if ((b >= 0x20 && b != 0x7f) || b == '\t') kind |= value_byte;
        if (unreserved || sub_delims.contains(c) || b == ':' || b == '@' || b == '/') kind |= path_byte;
        if (visible && !never_in_query.contains(c)) kind |= query_byte;
        if (unreserved || (sub_delims.contains(c) && b != ',')) kind |= name_of_host_byte;
        if (word || b == '+' || b == '-' || b == '.') kind |= scheme_byte;
        kinds[b] = static_cast<std::uint8_t>(kind);
    }
    return kinds;
}

inline constexpr std::array<std::uint8_t, 256> kinds = make_kinds();

}  // namespace detail

constexpr bool is(char c, byte_kind kind) noexcept {
    return (detail::kinds[static_cast<unsigned char>(c)] & kind) != 0;
}

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) noexcept { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }

/// Returns the value of a hexadecimal digit, or -1.
constexpr int hex_value(char c) noexcept {
    if (is_digit(c)) return c - '0';
    const int low = c | 0x20;
    return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

/// Removes the first word and the space after it, and returns the word.
/// Without a space, removes the whole text.
constexpr std::string_view take_word(std::string_view& text) noexcept {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size() == text.size() ? word.size() : word.size() + 1);
    return word;
}

constexpr char lowered(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

/// Returns whether `text` equals `lower`, ignoring case. `lower` must not contain capital letters.
constexpr bool same_word(std::string_view text, std::string_view lower) noexcept {
    if (text.size() != lower.size()) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] | 0x20) : text[i];
        if (c != lower[i]) return false;
    }
    return true;
}

/// Returns whether `a` equals `b`, ignoring case.
constexpr bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] != b[i] && !((a[i] ^ b[i]) == 0x20 && is_letter(a[i]))) return false;
    return true;
}

/// Returns the first sizeof(Word) bytes at `at` as a number that can be compared with `word_of`.
template <class Word>
Word load_word(const char* at) noexcept {
    Word word;
    std::memcpy(&word, at, sizeof word);
    return word;
}

/// Returns the result of `load_word` for `bytes`.
template <class Word>
consteval Word word_of(std::string_view bytes) {
    std::array<char, sizeof(Word)> copy{};
    for (std::size_t i = 0; i < copy.size(); ++i) copy[i] = bytes[i];
    return std::bit_cast<Word>(copy);
}

/// Fast `same_word` for text that has the size of `lower` and contains no control characters.
/// `lower` has at least four bytes: lower-case letters, digits and hyphens. The comparison sets 0x20 in each byte of
/// `text`: the result equals the byte of `lower` only for the same character, or for its capital letter.
template <std::size_t N>
bool same_name(const char* text, const char (&lower)[N]) noexcept {
    constexpr std::size_t size = N - 1;
    using word = std::conditional_t<(size >= 8), std::uint64_t, std::uint32_t>;
    constexpr word spaces = static_cast<word>(0x2020202020202020);
    word differ = 0;
    for (std::size_t at = 0; at + sizeof(word) <= size; at += sizeof(word))
        differ |= (load_word<word>(text + at) | spaces) ^ load_word<word>(lower + at);
    constexpr std::size_t last = size - sizeof(word);
    differ |= (load_word<word>(text + last) | spaces) ^ load_word<word>(lower + last);
    return differ == 0;
}

/// Like the other `same_name`, for a text of any size.
/// The text must contain no control characters, except HTAB.
template <std::size_t N>
bool same_name(std::string_view text, const char (&lower)[N]) noexcept {
    return text.size() == N - 1 && same_name(text.data(), lower);
}

}  // namespace apus::base

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Fast paths for common text: names without escapes, short strings without escapes, short integers, repeated
// indentation. Each function handles only its common case. In other cases it returns null, and `reader` parses the
// value. If possible, the position of the next value is predicted, to avoid data dependencies. `end` is the end of
// readable memory, which may be after the end of the document; zero padding after the document ends every scan.

#include "base/ascii_scan.hpp"
#include "codec/json/scan.hpp"
#include "schema/store.hpp"

#include <apus/detail/schema_table.hpp>

#include <bit>

namespace apus::codec::json {

/// Number of bytes that must be readable after the first byte of a value.
constexpr std::ptrdiff_t fast_reach = 32;

/// Returns true if `"name":` is at `at`.
/// `quoted` is `schema::field::quoted`. `quoted.size() + fast_reach` bytes must be readable.
inline bool matches_name(const char* at, std::string_view quoted) noexcept {
    const char* name = quoted.data() + 1;
    const std::size_t size = quoted.size() - 1;
    const auto differ = [&]<class Word>(Word, std::size_t from) {
        return base::load_word<Word>(at + from) ^ base::load_word<Word>(name + from);
    };
    // Compares two overlapping words.
    if (size >= 8 && size <= 16) return (differ(std::uint64_t(), 0) | differ(std::uint64_t(), size - 8)) == 0;
    if (size >= 4 && size < 8) return (differ(std::uint32_t(), 0) | differ(std::uint32_t(), size - 4)) == 0;
    return std::memcmp(at, name, size) == 0;
}

/// Skips white space.
/// Optimized for indented documents, in which white space usually equals the previous white space at the same depth.
class indentation {
public:
    /// Returns the first byte from `at` on that is not white space, or `end`.
    const char* pass(const char* at, const char* end) noexcept {
        if (end - at < reach) [[unlikely]]
            return skip_space(at, end);
        if (static_cast<unsigned char>(*at) > ' ') return at;
#if defined(__SSE2__)
        // Compares with the previous white space, so that the CPU can continue speculatively before the size is known.
        const unsigned same = base::sse2::mask(_mm_cmpeq_epi8(base::sse2::load(at), base::sse2::load(before_)));
        if ((~same & spaces_) == 0 && static_cast<unsigned char>(at[size_]) > ' ') [[likely]]
            return at + size_;
        return skip_other(at, end);
#else
        return skip_space(at, end);
#endif
    }
    static constexpr std::ptrdiff_t reach = 16;

private:
#if defined(__SSE2__)
    [[gnu::noinline]] const char* skip_other(const char* at, const char* end) noexcept {
        const char* behind = skip_space(at, end);
        if (behind - at < reach) {
            std::memcpy(before_, at, sizeof before_);
            size_ = static_cast<std::uint16_t>(behind - at);
            spaces_ = static_cast<std::uint16_t>((1U << size_) - 1);
        }
        return behind;
    }

    char before_[reach] = {};   // the previous white space and the text after it
    std::uint16_t spaces_ = 0;  // one bit per byte of the white space
    std::uint16_t size_ = 0;
#endif
};

/// Assigns at most 15 bytes to a string.
/// 15 bytes must be readable. Every std::string has this capacity.
inline void assign_short(std::string& to, const char* from, std::size_t size) {
    constexpr std::size_t room = 15;
    if (to.capacity() < room) __builtin_unreachable();
    to.resize_and_overwrite(room, [&](char* bytes, std::size_t) {
        std::memcpy(bytes, from, 8);
        std::memcpy(bytes + room - 8, from + room - 8, 8);
        return size;
    });
}

/// Returns the closing quote of the string at `at`, or null if it is not ASCII without escapes.
inline const char* end_of_text(const char* at, const char* end) noexcept {
    at = skip_text(at, end);
    return at != end && *at == '"' ? at : nullptr;
}

/// Checks the limits of an ASCII text, in which each byte is a character.
inline bool fits_ascii(const schema::type& t, const char* text, std::size_t size) noexcept {
    return size >= static_cast<std::uint64_t>(t.least) && size <= t.greatest &&
           (!t.text || t.text->holds(*t.text, {text, size}));
}

[[gnu::noinline]] inline const char* fast_long_text(const schema::type& t, void* to, const char* begin,
                                                    const char* end) {
    const char* at = end_of_text(begin, end);
    if (!at) return nullptr;
    const auto size = static_cast<std::size_t>(at - begin);
    if (!fits_ascii(t, begin, size)) return nullptr;
    static_cast<std::string*>(to)->assign(begin, size);
    return at + 1;
}

inline const char* fast_text(const schema::type& t, void* to, const char* at, const char* end) {
    if (*at != '"') return nullptr;
    const char* begin = at + 1;
#if defined(__SSE2__)
    const unsigned stops = text_stops(base::sse2::load(begin));
    if (stops == 0 || t.text) return fast_long_text(t, to, begin, end);
    const auto size = static_cast<std::size_t>(__builtin_ctz(stops));
    if (begin[size] != '"' || size < static_cast<std::uint64_t>(t.least) || size > t.greatest) return nullptr;
    assign_short(*static_cast<std::string*>(to), begin, size);
    return begin + size + 1;
#else
    return fast_long_text(t, to, begin, end);
#endif
}

/// Reads up to seven digits at once.
[[gnu::noinline]] inline const char* fast_integer(const schema::type& t, void* to, const char* at) noexcept {
    if constexpr (std::endian::native != std::endian::little) return nullptr;
    constexpr std::uint64_t ones = 0x0101010101010101;
    const bool negative = *at == '-';
    if (negative) [[unlikely]]
        ++at;
    const std::uint64_t values = base::load_word<std::uint64_t>(at) ^ ones * '0';
    // Marks bytes over 9. A carry affects only bytes after the first marked byte.
    const std::uint64_t others = ((values + ones * 0x76) | values) & ones * 0x80;
    if (others == 0) return nullptr;
    const auto size = static_cast<unsigned>(__builtin_ctzll(others)) / 8;
    if (size == 0 || (*at == '0' && size != 1)) return nullptr;
    at += size;
    if (*at != ',' && (*at == '.' || (*at | 0x20) == 'e')) return nullptr;
    // Right-aligns the digits in eight bytes, then combines them to pairs, then to groups of four, then to the number.
    const std::uint64_t digits = values << (64 - 8 * size);
    const std::uint64_t pairs = digits * 10 + (digits >> 8);
    constexpr std::uint64_t every_fourth = 0x000000ff000000ff;
    const std::uint64_t magnitude =
        ((pairs & every_fourth) * 0x000f424000000064 + ((pairs >> 16) & every_fourth) * 0x0000271000000001) >> 32;
    const std::uint64_t value = negative ? 0 - magnitude : magnitude;
    if (t.what == schema::kind::integer) {
        const auto number = static_cast<std::int64_t>(value);
        if (number < t.least || number > static_cast<std::int64_t>(t.greatest)) return nullptr;
    } else if (negative || value < static_cast<std::uint64_t>(t.least) || value > t.greatest) {
        return nullptr;
    }
    schema::store_integer(to, t.width, value);
    return at;
}

inline const char* fast_flag(void* to, const char* at) noexcept {
    const bool yes = base::load_word<std::uint32_t>(at) == base::word_of<std::uint32_t>("true");
    const bool no = base::load_word<std::uint32_t>(at + 1) == base::word_of<std::uint32_t>("alse") && *at == 'f';
    if (!yes && !no) return nullptr;
    schema::store(to, yes);
    return at + 5 - yes;
}

/// Reads a value of type `t` and returns its end, or null. `fast_reach` bytes must be readable.
[[gnu::always_inline]] inline const char* fast_value(const schema::type& t, void* to, const char* at, const char* end) {
    if (t.user) return nullptr;
    switch (t.what) {
        case schema::kind::text: return fast_text(t, to, at, end);
        case schema::kind::integer:
        case schema::kind::natural: return fast_integer(t, to, at);
        case schema::kind::boolean: return fast_flag(to, at);
        default: return nullptr;
    }
}

}  // namespace apus::codec::json

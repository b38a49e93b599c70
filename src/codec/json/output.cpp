// SPDX-License-Identifier: Apache-2.0
#include "codec/json/output.hpp"

#include "base/utf8.hpp"
#include "codec/json/scan.hpp"

#include <algorithm>
#include <cstdint>

namespace apus::codec::json {
namespace {

// Returns true only if no byte of a word needs an escape. May also return false for such a word; the caller then checks
// each byte.
bool is_plain(std::uint64_t word) noexcept {
    constexpr std::uint64_t ones = 0x0101010101010101;
    constexpr std::uint64_t tops = ones * 0x80;
    const std::uint64_t quote = word ^ ones * '"';
    const std::uint64_t backslash = word ^ ones * '\\';
    return ((word | (word - ones * 0x20) | (quote - ones) | (backslash - ones)) & tops) == 0;
}

char* put_escape(char* to, char c) noexcept {
    static constexpr char hex[] = "0123456789abcdef";
    static constexpr std::string_view meanings = "\"\\\b\f\n\r\t";
    *to++ = '\\';
    if (const auto index = meanings.find(c); index != meanings.npos) {
        *to++ = "\"\\bfnrt"[index];
        return to;
    }
    std::memcpy(to, "u00", 3);
    to[3] = hex[static_cast<unsigned char>(c) >> 4];
    to[4] = hex[c & 15];
    return to + 5;
}

// Loads the bytes of a short text into a word, some of them twice.
std::uint64_t load_short(const char* from, std::size_t size) noexcept {
    const auto byte = [&](std::size_t at) { return std::uint64_t(static_cast<unsigned char>(from[at])); };
    if (size >= 4)
        return base::load_word<std::uint32_t>(from) | std::uint64_t(base::load_word<std::uint32_t>(from + size - 4))
                                                          << 32;
    return std::uint64_t(0x2020202020000000) | byte(0) | byte(size / 2) << 8 | byte(size - 1) << 16;
}

// Copies words of eight bytes until a byte may need an escape. The last word may overlap the previous one. Returns the
// number of copied bytes: the whole size, or the bytes before the first word that needs a check.
std::size_t copy_plain(char* to, const char* from, std::size_t size) noexcept {
    std::size_t at = 0;
    if (size < 8) {
        if (size == 0 || !is_plain(load_short(from, size))) return 0;
        return copy_short(to, {from, size}), size;
    }
#if defined(__SSE2__)
    for (; size - at >= 16; at += 16) {
        const __m128i bytes = base::sse2::load(from + at);
        if (text_stops(bytes) != 0) return at;
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + at), bytes);
    }
#endif
    for (; size - at >= 8; at += 8) {
        const auto word = base::load_word<std::uint64_t>(from + at);
        if (!is_plain(word)) return at;
        std::memcpy(to + at, &word, 8);
    }
    if (at != size) {
        const auto word = base::load_word<std::uint64_t>(from + size - 8);
        if (!is_plain(word)) return at;
        std::memcpy(to + size - 8, &word, 8);
        return size;
    }
    return at;
}

}  // namespace

void output::put_text(std::string_view text) {
    char* to = room(text.size() + 2);
    *to++ = '"';
    std::size_t at = copy_plain(to, text.data(), text.size());
    to += at;
    while (at < text.size()) {
        const char c = text[at];
        if (!stops_text(c)) [[likely]] {
            *to++ = c;
            ++at;
            continue;
        }
        advance(to);
        to = room(text.size() - at + 8);
        const std::size_t size = base::utf8_sequence(text, at);
        if (size > 1) {
            std::memcpy(to, text.data() + at, size);
            to += size;
        } else if (size == 1) {
            to = put_escape(to, c);
        } else {
            std::memcpy(to, "\\ufffd", 6);
            to += 6;
        }
        at += size ? size : 1;
        if (text.size() - at >= 16) {
            const std::size_t plain = copy_plain(to, text.data() + at, text.size() - at);
            at += plain;
            to += plain;
        }
    }
    *to++ = '"';
    advance(to);
}

void output::grow(std::size_t more) {
    const auto used = static_cast<std::size_t>(at_ - begin_);
    const std::size_t size = std::max(used + more, used * 4);
    const bool moves = begin_ == first_;
    if (moves) to_->clear();
    to_->resize_and_overwrite(size, [](char*, std::size_t all) { return all; });
    if (moves && used) std::memcpy(to_->data(), first_, used);
    begin_ = to_->data();
    at_ = begin_ + used;
    end_ = begin_ + size;
}

}  // namespace apus::codec::json

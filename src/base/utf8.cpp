// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.hpp"

#include "base/ascii.hpp"
#include "base/utf8_blocks.hpp"

#include <cstdint>

namespace apus::base {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) noexcept { return static_cast<unsigned char>(text[at]); }

}  // namespace

std::size_t utf8_sequence(std::string_view text, std::size_t at) noexcept {
    const unsigned first = byte_at(text, at);
    if (first < 0x80) return 1;
    if (first < 0xc2 || first > 0xf4) return 0;
    const std::size_t size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (text.size() - at < size) return 0;

    // Only the range of the second byte depends on the first byte.
    const unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (byte_at(text, at + 1) < low || byte_at(text, at + 1) > high) return 0;
    for (std::size_t i = 2; i < size; ++i)
        if ((byte_at(text, at + i) & 0xc0) != 0x80) return 0;
    return size;
}

bool is_utf8(std::string_view text) noexcept {
    constexpr std::uint64_t tops = 0x8080808080808080;
    constexpr std::size_t worth_blocks = 32;
    for (std::size_t at = 0; at < text.size();) {
        if (text.size() - at >= 8 && (load_word<std::uint64_t>(text.data() + at) & tops) == 0) {
            at += 8;
        } else if (text.size() - at >= worth_blocks && has_utf8_blocks()) {
            return is_utf8_by_blocks(text.substr(at));
        } else if (static_cast<unsigned char>(text[at]) < 0x80) {
            ++at;
        } else {
            const std::size_t size = utf8_sequence(text, at);
            if (size == 0) return false;
            at += size;
        }
    }
    return true;
}

std::string repaired_utf8(std::string_view text) {
    std::string made;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = utf8_sequence(text, at);
        if (size) made += text.substr(at, size);
        else made += "\xef\xbf\xbd";
        at += size ? size : 1;
    }
    return made;
}

void append_utf8(std::string& to, unsigned point) {
    const auto byte = [&](unsigned b) { to += static_cast<char>(b); };
    if (point < 0x80) {
        byte(point);
    } else if (point < 0x800) {
        byte(0xc0 | point >> 6);
        byte(0x80 | (point & 0x3f));
    } else if (point < 0x10000) {
        byte(0xe0 | point >> 12);
        byte(0x80 | (point >> 6 & 0x3f));
        byte(0x80 | (point & 0x3f));
    } else {
        byte(0xf0 | point >> 18);
        byte(0x80 | (point >> 12 & 0x3f));
        byte(0x80 | (point >> 6 & 0x3f));
        byte(0x80 | (point & 0x3f));
    }
}

}  // namespace apus::base

// SPDX-License-Identifier: Apache-2.0
#include "codec/url/percent.hpp"

#include "base/ascii.hpp"

#include <cstddef>
#include <cstdint>

namespace apus::codec::url {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) noexcept { return static_cast<unsigned char>(text[at]); }

/// The size of the UTF-8 sequence at `at`, whose first byte is over 127; 0 if it is none: cut
/// short, longer than need be, a surrogate, or over U+10FFFF (RFC 3629, 4).
std::size_t sequence_size(std::string_view text, std::size_t at) noexcept {
    const unsigned first = byte_at(text, at);
    if (first < 0xc2 || first > 0xf4) return 0;
    const std::size_t size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (text.size() - at < size) return 0;

    // Only the second byte's range depends on the first.
    const unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (byte_at(text, at + 1) < low || byte_at(text, at + 1) > high) return 0;
    for (std::size_t i = 2; i < size; ++i)
        if ((byte_at(text, at + i) & 0xc0) != 0x80) return 0;
    return size;
}

bool is_utf8(std::string_view text) noexcept {
    constexpr std::uint64_t tops = 0x8080808080808080;
    for (std::size_t at = 0; at < text.size();) {
        if (text.size() - at >= 8 && (base::load_word<std::uint64_t>(text.data() + at) & tops) == 0) {
            at += 8;
        } else if (byte_at(text, at) < 0x80) {
            ++at;
        } else {
            const std::size_t size = sequence_size(text, at);
            if (size == 0) return false;
            at += size;
        }
    }
    return true;
}

constexpr parsed<std::string_view> bad(const refusal& why) noexcept { return {outcome::bad, {}, 0, &why}; }

}  // namespace

parsed<std::string_view> decode_percent(std::string_view in, char* out) noexcept {
    char* to = out;
    for (std::size_t at = 0; at < in.size(); ++at) {
        char c = in[at];
        if (c == '%') {
            const int high = in.size() - at > 2 ? base::hex_value(in[at + 1]) : -1;
            const int low = high >= 0 ? base::hex_value(in[at + 2]) : -1;
            if (low < 0) return bad(bad_triplet);
            c = static_cast<char>(high * 16 + low);
            at += 2;
        }
        if (c == '\0') return bad(encoded_nul);
        *to++ = c;
    }
    const std::string_view decoded(out, static_cast<std::size_t>(to - out));
    if (!is_utf8(decoded)) return bad(not_utf8);
    return {outcome::done, decoded, in.size(), nullptr};
}

bool has_dot_segment(std::string_view path) noexcept {
    for (;;) {
        const auto slash = path.find('/');
        const auto segment = path.substr(0, slash);
        if (segment == "." || segment == "..") return true;
        if (slash == path.npos) return false;
        path.remove_prefix(slash + 1);
    }
}

}  // namespace apus::codec::url

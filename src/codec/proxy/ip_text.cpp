// SPDX-License-Identifier: Apache-2.0
#include "codec/proxy/ip_text.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <cstddef>

namespace apus::codec::proxy {
namespace {

// Removes the digits of one group and writes its two bytes.
bool take_group(std::string_view& text, unsigned char* to) noexcept {
    unsigned group = 0;
    std::size_t digits = 0;
    for (; digits < text.size() && base::hex_value(text[digits]) >= 0; ++digits) {
        if (digits == 4) return false;
        group = group << 4 | static_cast<unsigned>(base::hex_value(text[digits]));
    }
    to[0] = static_cast<unsigned char>(group >> 8);
    to[1] = static_cast<unsigned char>(group & 255);
    text.remove_prefix(digits);
    return digits != 0;
}

}  // namespace

bool read_ip4(std::string_view text, unsigned char* to) noexcept {
    for (unsigned at = 0; at < 4; ++at) {
        unsigned number = 0;
        std::size_t digits = 0;
        for (; digits < text.size() && base::is_digit(text[digits]); ++digits) {
            if (digits == 3 || (digits == 1 && number == 0)) return false;
            number = number * 10 + static_cast<unsigned>(text[digits] - '0');
        }
        if (digits == 0 || number > 255) return false;
        to[at] = static_cast<unsigned char>(number);
        text.remove_prefix(digits);
        if (at == 3) return text.empty();
        if (!text.starts_with('.')) return false;
        text.remove_prefix(1);
    }
    return false;
}

bool read_ip6(std::string_view text, unsigned char* to) noexcept {
    constexpr std::size_t all = 16, none = all + 1;
    std::size_t at = 0, gap = none;  // position of "::"
    if (text.starts_with("::")) gap = 0, text.remove_prefix(2);
    while (!text.empty()) {
        if (at + 4 <= all && text.contains('.') && !text.contains(':')) {
            if (!read_ip4(text, to + at)) return false;
            at += 4;
            break;
        }
        if (at == all || !take_group(text, to + at)) return false;
        at += 2;
        if (text.empty()) break;
        if (text.starts_with("::")) {
            if (gap != none) return false;
            gap = at;
            text.remove_prefix(2);
        } else {
            if (text[0] != ':' || text.size() == 1) return false;
            text.remove_prefix(1);
        }
    }
    if (gap == none) return at == all;
    if (at == all) return false;
    std::copy_backward(to + gap, to + at, to + all);
    std::fill(to + gap, to + gap + (all - at), static_cast<unsigned char>(0));
    return true;
}

}  // namespace apus::codec::proxy

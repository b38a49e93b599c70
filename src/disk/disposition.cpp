// SPDX-License-Identifier: Apache-2.0
#include "disk/disposition.hpp"

#include "base/ascii.hpp"
#include "base/utf8.hpp"

#include <algorithm>

namespace apus::disk {
namespace {

// attr-char of RFC 8187, 3.2.1: token characters except '*', '\'' and '%'.
bool is_attribute_byte(char c) noexcept { return base::is(c, base::token_byte) && c != '*' && c != '\'' && c != '%'; }

bool is_plain(char c) noexcept {
    // Some browsers decode percent-encoded bytes in this parameter.
    return c >= ' ' && c < 0x7f && c != '"' && c != '%';
}

std::string encoded(std::string_view name) {
    constexpr char digits[] = "0123456789ABCDEF";
    std::string out;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        if (is_attribute_byte(c)) out += c;
        else ((out += '%') += digits[byte >> 4]) += digits[byte & 15];
    }
    return out;
}

// Replaces invalid UTF-8 and control characters with '_'.
std::string cleaned(std::string_view name) {
    std::string out;
    for (std::size_t at = 0; at < name.size();) {
        const std::size_t size = base::utf8_sequence(name, at);
        const auto byte = static_cast<unsigned char>(name[at]);
        if (size == 0 || byte < 0x20 || byte == 0x7f) out += '_';
        else out += name.substr(at, size);
        at += std::max<std::size_t>(size, 1);
    }
    return out;
}

}  // namespace

std::string attachment(std::string_view name) {
    const std::string whole = cleaned(name.substr(name.find_last_of("/\\") + 1));
    std::string ascii;
    for (std::size_t at = 0; at < whole.size(); at += base::utf8_sequence(whole, at))
        ascii += is_plain(whole[at]) ? whole[at] : '_';
    std::string out = "attachment; filename=\"" + ascii + '"';
    if (ascii != whole) out += "; filename*=UTF-8''" + encoded(whole);
    return out;
}

}  // namespace apus::disk

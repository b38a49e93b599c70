// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/host.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace apus::codec::http1 {
namespace {

using base::hex_value;
using base::is_digit;

/// Checks for four numbers up to 255 without leading zeros, separated by dots.
bool is_ipv4(std::string_view text) noexcept {
    unsigned dots = 0;
    unsigned value = 0;
    std::size_t digits = 0;
    for (const char c : text) {
        if (c == '.') {
            if (digits == 0 || ++dots > 3) return false;
            value = 0;
            digits = 0;
        } else {
            if (!is_digit(c) || (digits == 1 && value == 0)) return false;
            value = value * 10 + static_cast<unsigned>(c - '0');
            if (++digits > 3 || value > 255) return false;
        }
    }
    return dots == 3 && digits != 0;
}

/// Checks for "v", hexadecimal digits, a dot, and at least one more byte.
bool is_ip_future(std::string_view text) noexcept {
    if (text.empty() || (text[0] | 0x20) != 'v') return false;
    std::size_t at = 1;
    while (at < text.size() && hex_value(text[at]) >= 0) ++at;
    if (at == 1 || at + 1 >= text.size() || text[at] != '.') return false;
    for (const char c : text.substr(at + 1))
        if (c != ':' && !base::is(c, base::name_of_host_byte)) return false;
    return true;
}

/// Returns the length of the registered name or IPv4 address at the start of `text`.
/// Returns npos if a percent-encoded triplet is malformed.
std::size_t name_size(std::string_view text) noexcept {
    std::size_t at = 0;
    for (;; at += 3) {
        while (at < text.size() && base::is(text[at], base::name_of_host_byte)) ++at;
        if (at == text.size() || text[at] != '%') return at;
        if (text.size() - at < 3 || hex_value(text[at + 1]) < 0 || hex_value(text[at + 2]) < 0) return text.npos;
    }
}

/// Returns the length of the bracketed address at the start of `text`.
/// The length includes the brackets; npos if the address is malformed.
std::size_t literal_size(std::string_view text) noexcept {
    const auto close = text.find(']');
    if (close == text.npos) return close;
    const auto inside = text.substr(1, close - 1);
    return is_ipv6(inside) || is_ip_future(inside) ? close + 1 : text.npos;
}

/// Checks four bytes at once. The upper four bits of a digit are 3, and remain 3 after adding 6.
bool are_four_digits(const char* at) noexcept {
    const auto word = base::load_word<std::uint32_t>(at);
    constexpr std::uint32_t upper = 0xf0f0'f0f0, threes = 0x3030'3030;
    return (word & upper) == threes && ((word + 0x0606'0606U) & upper) == threes;
}

bool is_port(std::string_view digits) noexcept {
    while (digits.size() > 5 && digits[0] == '0') digits.remove_prefix(1);
    if (digits.size() > 5) return false;
    if (digits.size() == 5) {
        // For five digits, lexicographic order is numeric order.
        return are_four_digits(digits.data()) && is_digit(digits[4]) && (digits[0] < '6' || digits <= "65535");
    }
    for (const char c : digits)
        if (!is_digit(c)) return false;
    return true;
}

/// Returns the shape of `text`, which begins with a well-formed host of `name` bytes.
host_shape shape_with_rest(std::string_view text, std::size_t name) noexcept {
    if (name == text.size()) return host_shape::without_port;
    if (name == 0 || text[name] != ':') return host_shape::malformed;
    if (name + 1 == text.size()) return host_shape::without_port;
    return is_port(text.substr(name + 1)) ? host_shape::with_port : host_shape::malformed;
}

[[gnu::noinline]] host_shape shape_of_unusual_host(std::string_view text) noexcept {
    const std::size_t name = text[0] == '[' ? literal_size(text) : name_size(text);
    return name == text.npos ? host_shape::malformed : shape_with_rest(text, name);
}

}  // namespace

bool is_ipv6(std::string_view text) noexcept {
    unsigned groups = 0;
    bool gap = false;
    std::size_t at = 0;
    if (text.starts_with("::")) {
        gap = true;
        at = 2;
    }
    while (at < text.size()) {
        std::size_t digits = 0;
        while (at + digits < text.size() && hex_value(text[at + digits]) >= 0) ++digits;
        if (at + digits < text.size() && text[at + digits] == '.') {
            groups += 2;
            return (gap ? groups <= 7 : groups == 8) && is_ipv4(text.substr(at));
        }
        if (digits == 0 || digits > 4 || ++groups > 8) return false;
        at += digits;
        if (at == text.size()) break;
        if (text[at] != ':' || ++at == text.size()) return false;
        if (text[at] == ':') {
            if (gap) return false;
            gap = true;
            ++at;
        }
    }
    return gap ? groups <= 7 : groups == 8;
}

host_shape shape_of_host(std::string_view text, base::readable around) noexcept {
    if (text.empty()) return host_shape::empty;
    const char* end = text.data() + text.size();
    const char* usual_end = std::min(base::skip_host_name(around, text.data()), end);
    if (usual_end != end && *usual_end != ':') return shape_of_unusual_host(text);
    return shape_with_rest(text, static_cast<std::size_t>(usual_end - text.data()));
}

bool is_local_host(std::string_view host) noexcept {
    constexpr std::string_view local = "localhost", below = ".localhost";
    if (host.starts_with('[') && host.ends_with(']')) return is_ipv6(host.substr(1, host.size() - 2));
    if (host.size() > below.size() && base::equal_ignoring_case(host.substr(host.size() - below.size()), below))
        return true;
    return base::equal_ignoring_case(host, local) || is_ipv4(host);
}

std::string_view without_port(std::string_view host) noexcept {
    const std::size_t colon = host.rfind(':');
    return colon == host.npos || host.ends_with(']') ? host : host.substr(0, colon);
}

}  // namespace apus::codec::http1

// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/forwarded.hpp"

#include "base/ascii.hpp"
#include "codec/fields/list.hpp"

#include <algorithm>
#include <cstddef>

namespace apus::codec::fields {
namespace {

void skip_blanks(std::string_view text, std::size_t& at) noexcept {
    while (at < text.size() && base::is_blank(text[at])) ++at;
}

std::string_view take_token(std::string_view text, std::size_t& at) noexcept {
    const std::size_t begin = at;
    while (at < text.size() && base::is(text[at], base::token_byte)) ++at;
    return text.substr(begin, at - begin);
}

// Parses a token or a non-empty quoted string. Returns an empty view for other text.
std::string_view take_value(std::string_view text, std::size_t& at) noexcept {
    if (at == text.size() || text[at] != '"') return take_token(text, at);
    const std::size_t end = text.find_first_of("\"\\", at + 1);
    if (end == text.npos || text[end] == '\\') return {};
    const std::string_view value = text.substr(at + 1, end - at - 1);
    at = end + 1;
    return value;
}

bool store(forwarded_element& to, std::string_view name, std::string_view value) noexcept {
    std::string_view* const which = base::same_word(name, "for")     ? &to.from
                                    : base::same_word(name, "host")  ? &to.host
                                    : base::same_word(name, "proto") ? &to.proto
                                                                     : nullptr;
    if (!which) return true;
    if (!which->empty()) return false;
    *which = value;
    return true;
}

bool is_port(std::string_view text) noexcept {
    return !text.empty() && text.size() <= 5 && std::ranges::all_of(text, base::is_digit);
}

}  // namespace

parsed<forwarded_element> read_forwarded(std::string_view list) noexcept {
    constexpr parsed<forwarded_element> bad{outcome::bad, {}, 0, &bad_forwarded};
    forwarded_element found;
    std::size_t at = 0;
    while (true) {
        skip_blanks(list, at);
        const std::string_view name = take_token(list, at);
        if (!name.empty()) {
            if (at == list.size() || list[at++] != '=') return bad;
            const std::string_view value = take_value(list, at);
            if (value.empty() || !store(found, name, value)) return bad;
            skip_blanks(list, at);
        }
        if (at == list.size()) return {outcome::done, found, at, nullptr};
        const char mark = list[at++];
        if (mark == ',') return {outcome::done, found, at, nullptr};
        if (mark != ';') return bad;
    }
}

std::string_view address_in_node(std::string_view node) noexcept {
    node = trimmed(node);
    if (node == "unix:" || node == "unix") return "unix";
    if (node.starts_with('[')) {
        const std::size_t end = node.find(']');
        if (end == node.npos) return {};
        const std::string_view rest = node.substr(end + 1);
        if (!rest.empty() && !(rest.front() == ':' && is_port(rest.substr(1)))) return {};
        return node.substr(1, end - 1);
    }
    const std::size_t colon = node.find(':');
    if (colon == node.npos) return node.contains('.') ? node : std::string_view();
    if (node.find(':', colon + 1) != node.npos) return node;  // many proxies send IPv6 addresses without brackets
    return is_port(node.substr(colon + 1)) && node.contains('.') ? node.substr(0, colon) : std::string_view();
}

}  // namespace apus::codec::fields

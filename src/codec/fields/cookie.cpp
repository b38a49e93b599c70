// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/cookie.hpp"

#include "base/ascii.hpp"
#include "codec/fields/list.hpp"

#include <algorithm>
#include <charconv>

namespace apus::codec::fields {
namespace {

constexpr std::size_t max_pair = 4096;       // rfc6265bis, 5.7: browsers drop longer cookies
constexpr std::size_t max_attribute = 1024;  // rfc6265bis, 5.7: browsers ignore longer attributes

bool is_cookie_octet(char c) noexcept { return c > ' ' && c < 0x7f && c != '"' && c != ',' && c != ';' && c != '\\'; }

bool is_value(std::string_view value) noexcept {
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
    return std::ranges::all_of(value, is_cookie_octet);
}

bool is_path(std::string_view path) noexcept {
    return path.starts_with('/') && std::ranges::all_of(path, [](char c) { return c >= ' ' && c < 0x7f && c != ';'; });
}

bool is_domain(std::string_view domain) noexcept {
    return !domain.starts_with('.') && !domain.starts_with('-') && std::ranges::all_of(domain, [](char c) {
        return base::is_letter(c) || base::is_digit(c) || c == '.' || c == '-';
    });
}

// Compares prefixes case-insensitively, as browsers do.
bool has_prefix(std::string_view name, std::string_view prefix) noexcept {
    return base::same_word(name.substr(0, prefix.size()), prefix);
}

char* put(char* to, std::string_view text) noexcept { return std::ranges::copy(text, to).out; }

}  // namespace

std::optional<cookie_pair> next_cookie(std::string_view& rest) noexcept {
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(';'), rest.size());
        const std::string_view pair = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const std::size_t equals = pair.find('=');
        if (equals == pair.npos) continue;
        const std::string_view name = trimmed(pair.substr(0, equals));
        if (!name.empty()) return cookie_pair{name, trimmed(pair.substr(equals + 1))};
    }
    return std::nullopt;
}

const char* fault_in(const set_cookie& c) noexcept {
    const bool host_only = has_prefix(c.name, "__host-");
    if (c.name.empty() || !std::ranges::all_of(c.name, [](char b) { return base::is(b, base::token_byte); }))
        return "the name of a cookie must be a token: letters, digits and marks such as '-'";
    if (!is_value(c.value))
        return "the value of a cookie must not contain control characters, spaces, quotes, commas, semicolons or "
               "backslashes: encode it";
    if (c.name.size() + c.value.size() > max_pair)
        return "name and value of a cookie may have at most 4096 bytes together";
    if (!c.path.empty() && !is_path(c.path))
        return "the path of a cookie must begin with '/' and must not contain control characters or semicolons";
    if (!is_domain(c.domain))
        return "the domain of a cookie may contain only letters, digits, '-' and '.', and must begin with a letter or "
               "digit";
    if (c.path.size() > max_attribute || c.domain.size() > max_attribute)
        return "path and domain of a cookie may have at most 1024 bytes each";
    if (host_only && (!c.secure || c.path != "/" || !c.domain.empty()))
        return "a cookie whose name begins with __Host- must be secure, with the path / and without a domain";
    if (has_prefix(c.name, "__secure-") && !c.secure) return "a cookie whose name begins with __Secure- must be secure";
    if (c.same_site == "None" && !c.secure) return "a cookie with SameSite=None must be secure";
    if (c.partitioned && !c.secure) return "a partitioned cookie must be secure";
    return nullptr;
}

std::size_t room_for(const set_cookie& c) noexcept {
    constexpr std::size_t attributes = 120;  // names of all attributes, and the values that are not counted below
    return c.name.size() + c.value.size() + c.path.size() + c.domain.size() + attributes;
}

char* write(const set_cookie& c, char* to) noexcept {
    to = put(put(put(to, c.name), "="), c.value);
    if (!c.path.empty()) to = put(put(to, "; Path="), c.path);
    if (!c.domain.empty()) to = put(put(to, "; Domain="), c.domain);
    if (c.max_age) to = std::to_chars(put(to, "; Max-Age="), to + 32, *c.max_age).ptr;
    if (c.secure) to = put(to, "; Secure");
    if (c.http_only) to = put(to, "; HttpOnly");
    if (!c.same_site.empty()) to = put(put(to, "; SameSite="), c.same_site);
    if (c.partitioned) to = put(to, "; Partitioned");
    return to;
}

}  // namespace apus::codec::fields

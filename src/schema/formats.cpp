// SPDX-License-Identifier: Apache-2.0
#include <apus/rules.hpp>

#include "schema/date_time.hpp"
#include "schema/expectation.hpp"

#include <stdexcept>

namespace apus::detail {
namespace {

constexpr bool is_alphanumeric(char c) noexcept {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}
constexpr bool is_hex(char c) noexcept { return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }

// Whether a host consists of labels of RFC 1034, 3.5, separated by dots.
bool is_host_name(std::string_view host) noexcept {
    for (;;) {
        const auto dot = host.find('.');
        const auto label = host.substr(0, dot);
        if (label.empty() || label.size() > 63 || !is_alphanumeric(label.front()) || !is_alphanumeric(label.back()))
            return false;
        for (char c : label)
            if (!is_alphanumeric(c) && c != '-') return false;
        if (dot == host.npos) return true;
        host.remove_prefix(dot + 1);
    }
}

// Whether a text consists of characters allowed in a URL (RFC 3986, 2) and complete percent-encoded triplets.
bool is_url_text(std::string_view text) noexcept {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%') {
            if (text.size() - i < 3 || !is_hex(text[i + 1]) || !is_hex(text[i + 2])) return false;
        } else if (!is_alphanumeric(text[i]) &&
                   std::string_view("-._~:/?#[]@!$&'()*+,;=").find(text[i]) == std::string_view::npos) {
            return false;
        }
    }
    return true;
}

bool is_port(std::string_view port) noexcept {
    unsigned value = 0;
    for (char c : port) {
        if (c < '0' || c > '9' || value > 6553) return false;
        value = value * 10 + static_cast<unsigned>(c - '0');
    }
    return value < 65'536;
}

bool is_authority(std::string_view authority) noexcept {
    if (authority.starts_with('[')) {
        const auto close = authority.find(']');
        if (close == authority.npos || close < 3) return false;
        for (char c : authority.substr(1, close - 1))
            if (!is_hex(c) && c != ':' && c != '.') return false;
        authority.remove_prefix(close + 1);
        return authority.empty() || (authority[0] == ':' && is_port(authority.substr(1)));
    }
    const auto colon = authority.find(':');
    std::string_view host = authority.substr(0, colon);
    if (host.ends_with('.')) host.remove_suffix(1);
    return is_host_name(host) && (colon == authority.npos || is_port(authority.substr(colon + 1)));
}

bool follows(const schema::type& t, const void* value) {
    switch (t.what) {
        case schema::kind::text:
            if (!schema::text_fits(t, *static_cast<const std::string*>(value))) return false;
            break;
        case schema::kind::list: {
            const std::size_t size = t.list->size(value);
            if (size < static_cast<std::uint64_t>(t.least) || size > t.greatest) return false;
            break;
        }
        case schema::kind::integer: {
            // Rules restrict only 64-bit integers; narrower types are already limited to their range.
            const std::int64_t number = t.width == 8 ? *static_cast<const std::int64_t*>(value) : t.least;
            if (number < t.least || number > static_cast<std::int64_t>(t.greatest)) return false;
            break;
        }
        case schema::kind::number: {
            const double number = t.width == 8 ? *static_cast<const double*>(value) : t.minimum;
            if (t.minimum < t.maximum && !(number >= t.minimum && number <= t.maximum)) return false;
            break;
        }
        default: break;
    }
    return !t.user || t.user->holds(value);
}

}  // namespace

void require(const schema::type& t, const void* value) {
    if (!follows(t, value)) throw std::invalid_argument("invalid value: expected " + schema::expectation(t));
}

bool holds_email(const schema::text_rule&, std::string_view text) noexcept {
    const auto at = text.find('@');
    if (at == text.npos || at == 0 || at > 64 || text.size() > 254) return false;
    const auto local = text.substr(0, at);
    if (local.front() == '.' || local.back() == '.' || local.find("..") != local.npos) return false;
    for (char c : local)
        if (!is_alphanumeric(c) && std::string_view(".!#$%&'*+/=?^_`{|}~-").find(c) == std::string_view::npos)
            return false;
    return is_host_name(text.substr(at + 1));
}

bool holds_url(const schema::text_rule&, std::string_view text) noexcept {
    const auto colon = text.find("://");
    if (colon != 4 && colon != 5) return false;
    static constexpr std::string_view scheme = "https";
    for (std::size_t i = 0; i < colon; ++i)
        if ((text[i] | 0x20) != scheme[i]) return false;
    text.remove_prefix(colon + 3);
    return is_url_text(text) && is_authority(text.substr(0, text.find_first_of("/?#")));
}

bool holds_uuid(const schema::text_rule&, std::string_view text) noexcept {
    if (text.size() != 36) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool hyphen = i == 8 || i == 13 || i == 18 || i == 23;
        if (hyphen ? text[i] != '-' : !is_hex(text[i])) return false;
    }
    return true;
}

bool holds_date(const schema::text_rule&, std::string_view text) noexcept { return schema::is_date(text); }
bool holds_time(const schema::text_rule&, std::string_view text) noexcept { return schema::is_time_of_day(text); }

bool holds_choice(const schema::text_rule& rule, std::string_view text) noexcept {
    for (unsigned i = 0; i < rule.choice_count; ++i)
        if (rule.choices[i] == text) return true;
    return false;
}

bool holds_pattern(const schema::text_rule& rule, std::string_view text) noexcept {
    schema::pattern_set now;
    now.add(0);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if ((c & 0xc0) == 0x80) continue;  // only the first byte of a character is matched
        schema::pattern_set next, kept;
        for (unsigned word = 0; word < schema::pattern_words; ++word)
            for (std::uint64_t bits = now.words[word]; bits; bits &= bits - 1)
                next.add(rule.program->states[word * 64 + static_cast<unsigned>(__builtin_ctzll(bits))].next);
        bool any = false;
        for (unsigned word = 0; word < schema::pattern_words; ++word)
            for (std::uint64_t bits = next.words[word]; bits; bits &= bits - 1) {
                const unsigned state = word * 64 + static_cast<unsigned>(__builtin_ctzll(bits));
                if (rule.program->states[state].matches(c)) kept.add(state), any = true;
            }
        if (!any) return false;
        now = kept;
    }
    for (unsigned word = 0; word < schema::pattern_words; ++word)
        if (now.words[word] & rule.program->accepting.words[word]) return true;
    return false;
}

}  // namespace apus::detail

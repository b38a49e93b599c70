// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/accept.hpp"

#include "base/ascii.hpp"
#include "codec/fields/list.hpp"
#include "codec/fields/quality_list.hpp"
#include "codec/http1/field_rules.hpp"

namespace apus::codec::fields {
namespace {

// A media range: type, subtype and unparsed parameters.
struct media_range {
    std::string_view type, subtype, parameters;
};

constexpr unsigned no_match = 0;

bool read_range(std::string_view text, media_range& to) noexcept {
    const std::string_view essence = take_until(text, ';');
    to.parameters = text;
    if (essence == "*") return to.type = to.subtype = "*", true;
    const auto slash = essence.find('/');
    if (slash == essence.npos) return false;
    to.type = essence.substr(0, slash);
    to.subtype = essence.substr(slash + 1);
    return http1::is_token(to.type) && http1::is_token(to.subtype) && (to.type != "*" || to.subtype == "*");
}

std::string_view unquoted(std::string_view text) noexcept {
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') return text.substr(1, text.size() - 2);
    return text;
}

bool has(std::string_view parameters, std::string_view wanted) noexcept {
    const auto equals = wanted.find('=');
    while (!parameters.empty()) {
        const std::string_view one = take_until(parameters, ';');
        if (one.find('=') != equals || !base::equal_ignoring_case(one.substr(0, equals), wanted.substr(0, equals)))
            continue;
        if (equals == wanted.npos ||
            base::equal_ignoring_case(unquoted(one.substr(equals + 1)), unquoted(wanted.substr(equals + 1))))
            return true;
    }
    return false;
}

// Returns the specificity with which a range matches a type; `no_match` if it does not match.
unsigned closeness(media_range range, const media_range& type) noexcept {
    if (range.type == "*") return range.parameters.empty() ? 1 : no_match;
    if (!base::equal_ignoring_case(range.type, type.type)) return no_match;
    if (range.subtype == "*") return range.parameters.empty() ? 2 : no_match;
    if (!base::equal_ignoring_case(range.subtype, type.subtype)) return no_match;
    unsigned close = 3;
    while (!range.parameters.empty()) {
        const std::string_view one = take_until(range.parameters, ';');
        if (one.empty()) continue;
        if (!has(type.parameters, one)) return no_match;
        ++close;
    }
    return close;
}

}  // namespace

std::optional<unsigned> media_weight(std::string_view accept, std::string_view type) noexcept {
    media_range wanted;
    read_range(type, wanted);
    bool any = false;
    unsigned closest = no_match, weight = 0;
    weighted item;
    while (next_weighted(accept, item)) {
        media_range range;
        if (!read_range(item.value, range)) continue;
        any = true;
        const unsigned close = closeness(range, wanted);
        if (close > closest) closest = close, weight = item.weight;
    }
    if (!any) return std::nullopt;
    return weight;
}

}  // namespace apus::codec::fields

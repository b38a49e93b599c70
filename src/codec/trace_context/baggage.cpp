// SPDX-License-Identifier: Apache-2.0
#include "codec/trace_context/baggage.hpp"

#include "base/ascii.hpp"
#include "codec/fields/list.hpp"
#include "codec/http1/field_rules.hpp"

#include <algorithm>

namespace apus::codec::trace_context {
namespace {

bool is_baggage_value(std::string_view value) noexcept {
    return std::ranges::all_of(
        value, [](char c) { return c > ' ' && c <= '~' && c != '"' && c != ',' && c != ';' && c != '\\'; });
}

// Checks a property: "key" or "key = value".
bool is_property(std::string_view text) noexcept {
    const auto equals = text.find('=');
    if (equals == text.npos) return http1::is_token(text);
    return http1::is_token(fields::trimmed(text.substr(0, equals))) &&
           is_baggage_value(fields::trimmed(text.substr(equals + 1)));
}

bool are_properties(std::string_view text) noexcept {
    for (std::size_t at = 0; at <= text.size();) {
        const auto end = std::min(text.find(';', at), text.size());
        if (!is_property(fields::trimmed(text.substr(at, end - at)))) return false;
        at = end + 1;
    }
    return true;
}

}  // namespace

bool baggage::add(std::string_view value) noexcept {
    while (!value.empty()) {
        const std::string_view text = fields::next_of_list(value);
        if (text.empty()) continue;
        const auto semicolon = text.find(';');
        const std::string_view pair = text.substr(0, semicolon);
        const auto equals = pair.find('=');
        if (equals == pair.npos || count_ == max_members) return false;
        const bool has_properties = semicolon != text.npos;
        const member one{fields::trimmed(pair.substr(0, equals)), fields::trimmed(pair.substr(equals + 1)),
                         has_properties ? fields::trimmed(text.substr(semicolon + 1)) : std::string_view()};
        if (!http1::is_token(one.key) || !is_baggage_value(one.value)) return false;
        if (has_properties && !are_properties(one.properties)) return false;
        size_ += one.key.size() + 1 + one.value.size() + (count_ ? 1 : 0);
        if (has_properties) size_ += one.properties.size() + 1;
        if (size_ > max_size) return false;
        members_[count_++] = one;
    }
    return true;
}

void baggage::append(std::string& to) const {
    bool first = true;
    for (const auto& one : members()) {
        if (!first) to += ',';
        first = false;
        ((to += one.key) += '=') += one.value;
        if (!one.properties.empty()) (to += ';') += one.properties;
    }
}

}  // namespace apus::codec::trace_context

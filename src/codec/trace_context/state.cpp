// SPDX-License-Identifier: Apache-2.0
#include "codec/trace_context/state.hpp"

#include "base/ascii.hpp"

#include <algorithm>

namespace apus::codec::trace_context {
namespace {

bool is_lower(char c) noexcept { return c >= 'a' && c <= 'z'; }

bool is_key_byte(char c) noexcept {
    return is_lower(c) || base::is_digit(c) || c == '_' || c == '-' || c == '*' || c == '/';
}

bool is_key_part(std::string_view text, std::size_t longest) noexcept {
    return !text.empty() && text.size() <= longest && std::ranges::all_of(text, is_key_byte);
}

// Checks a key: "vendor" or "tenant@vendor".
bool is_key(std::string_view key) noexcept {
    constexpr std::size_t longest = 256, longest_tenant = 241, longest_vendor = 14;
    const auto at = key.find('@');
    if (at == key.npos) return is_key_part(key, longest) && is_lower(key[0]);
    const std::string_view tenant = key.substr(0, at), vendor = key.substr(at + 1);
    return is_key_part(tenant, longest_tenant) && (is_lower(tenant[0]) || base::is_digit(tenant[0])) &&
           is_key_part(vendor, longest_vendor) && is_lower(vendor[0]);
}

bool is_state_value(std::string_view value) noexcept {
    constexpr std::size_t longest = 256;
    return !value.empty() && value.size() <= longest && value.back() != ' ' &&
           std::ranges::all_of(value, [](char c) { return c >= ' ' && c <= '~' && c != ',' && c != '='; });
}

std::string_view key_of(std::string_view member) noexcept { return member.substr(0, member.find('=')); }

}  // namespace

bool state::add(std::string_view value) noexcept {
    while (!value.empty()) {
        const auto comma = std::min(value.find(','), value.size());
        std::string_view member = value.substr(0, comma);
        value.remove_prefix(std::min(comma + 1, value.size()));
        while (!member.empty() && base::is_blank(member.front())) member.remove_prefix(1);
        while (!member.empty() && base::is_blank(member.back())) member.remove_suffix(1);
        if (member.empty()) continue;
        const auto equals = member.find('=');
        if (equals == member.npos || count_ == max_members) return false;
        if (!is_key(member.substr(0, equals)) || !is_state_value(member.substr(equals + 1))) return false;
        const auto same = [&](std::string_view other) { return key_of(other) == member.substr(0, equals); };
        if (std::ranges::any_of(members(), same)) return false;
        members_[count_++] = member;
    }
    return true;
}

void state::append(std::string& to) const {
    constexpr std::size_t long_member = 128;
    const auto size = [this](std::size_t longest) {
        std::size_t all = 0;
        for (const auto member : members())
            if (member.size() <= longest) all += member.size() + (all ? 1 : 0);
        return all;
    };
    const std::size_t longest = size(max_size) > max_size ? long_member : max_size;
    const std::size_t begin = to.size();
    for (const auto member : members()) {
        if (member.size() > longest) continue;
        if (to.size() - begin + member.size() + 1 > max_size + (to.size() == begin ? 1 : 0)) return;
        if (to.size() > begin) to += ',';
        to += member;
    }
}

}  // namespace apus::codec::trace_context

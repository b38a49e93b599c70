// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/cache_control.hpp"

#include "base/ascii.hpp"
#include "codec/fields/list.hpp"

#include <algorithm>

namespace apus::codec::fields {
namespace {

struct directive {
    std::string_view name, argument;
};

// Removes the next directive from a list and returns it. Arguments may be quoted strings with commas.
directive next_directive(std::string_view& list) noexcept {
    std::size_t end = 0;
    bool quoted = false;
    for (; end < list.size() && (quoted || list[end] != ','); ++end) {
        if (quoted && list[end] == '\\') ++end;
        else if (list[end] == '"') quoted = !quoted;
    }
    end = std::min(end, list.size());
    const std::string_view item = trimmed(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
    const auto equals = item.find('=');
    if (equals == item.npos) return {item, {}};
    std::string_view argument = item.substr(equals + 1);
    if (argument.size() >= 2 && argument.front() == '"' && argument.back() == '"')
        argument = argument.substr(1, argument.size() - 2);
    return {item.substr(0, equals), argument};
}

std::uint32_t seconds_of(std::string_view text) noexcept {
    constexpr std::uint32_t most = std::uint32_t{1} << 31;
    std::uint64_t value = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return 0;
        value = std::min<std::uint64_t>(value * 10 + static_cast<unsigned>(c - '0'), most);
    }
    return static_cast<std::uint32_t>(value);
}

}  // namespace

cache_control read_cache_control(std::string_view value) noexcept {
    cache_control found;
    while (!value.empty()) {
        const auto [name, argument] = next_directive(value);
        const auto is = [&](std::string_view other) { return base::equal_ignoring_case(name, other); };
        if (is("no-store")) found.no_store = true;
        else if (is("no-cache")) found.no_cache = true;
        else if (is("private")) found.is_private = true;
        else if (is("public")) found.is_public = true;
        else if (is("must-revalidate") || is("proxy-revalidate")) found.must_revalidate = true;
        else if (is("max-age") && !found.max_age) found.max_age = seconds_of(argument);
        else if (is("s-maxage") && !found.s_maxage) found.s_maxage = seconds_of(argument);
        else if (is("stale-while-revalidate")) found.stale_while_revalidate = seconds_of(argument);
    }
    return found;
}

}  // namespace apus::codec::fields

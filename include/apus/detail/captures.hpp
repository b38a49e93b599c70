// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/literal.hpp>

#include <cstddef>
#include <string_view>

namespace apus::detail {

constexpr unsigned max_route_captures = 16;

/// Names of a handler's captures, in the order of its parameters.
/// Names over the limit are counted but not stored.
struct capture_names {
    std::string_view at[max_route_captures];
    unsigned count = 0;

    constexpr void add(std::string_view name) {
        if (count < max_route_captures) at[count] = name;
        ++count;
    }
};

/// Returns the index of a capture in a valid route; `max_route_captures` if it is unknown.
constexpr unsigned find_capture(std::string_view route, std::string_view name) {
    unsigned index = 0;
    for (std::size_t at = route.find('{'); at != route.npos; at = route.find('{', at + 1), ++index) {
        const std::string_view rest = route.substr(at + 1);
        if (rest.substr(0, rest.find_first_of(".}")) == name) return index;
    }
    return max_route_captures;
}

/// For each parameter, the index of the capture that it takes.
struct capture_order {
    unsigned char at[max_route_captures] = {};
};

constexpr capture_order order_captures(std::string_view route, const capture_names& names) {
    capture_order made;
    for (unsigned i = 0; i < names.count && i < max_route_captures; ++i)
        made.at[i] = static_cast<unsigned char>(find_capture(route, names.at[i]));
    return made;
}

}  // namespace apus::detail

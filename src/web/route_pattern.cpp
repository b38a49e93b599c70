// SPDX-License-Identifier: Apache-2.0
#include "web/route_pattern.hpp"

#include <apus/detail/route.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace apus::web {
namespace {

using kind = route_pattern::kind;

route_pattern::segment read_segment(std::string_view segment) {
    if (!segment.starts_with('{')) return {kind::text, segment};
    std::string_view name = segment.substr(1, segment.size() - 2);
    if (!name.ends_with("...")) return {kind::capture, name};
    name.remove_suffix(3);
    return {kind::rest, name};
}

}  // namespace

route_pattern read_route(std::string_view route) {
    route_pattern pattern;
    try {
        pattern.captures = detail::check_route(route) != 0;
    } catch (const detail::bad_route& bad) {
        throw std::logic_error("route \"" + std::string(route) + "\": " + bad.why);
    }
    for (std::size_t begin = 1; begin <= route.size();) {
        std::size_t end = std::min(route.find('/', begin), route.size());
        pattern.segments.push_back(read_segment(route.substr(begin, end - begin)));
        begin = end + 1;
    }
    return pattern;
}

std::string_view capture_name(std::string_view route, unsigned index) noexcept {
    std::size_t begin = route.find('{');
    for (; index > 0 && begin != route.npos; --index) begin = route.find('{', begin + 1);
    if (begin == route.npos) return {};
    return route.substr(begin + 1, route.find_first_of(".}", begin) - begin - 1);
}

}  // namespace apus::web

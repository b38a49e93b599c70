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

[[noreturn]] void refuse(std::string_view route, const char* why) {
    throw std::logic_error("route \"" + std::string(route) + "\": " + why);
}

unsigned captures_of(std::string_view route) {
    try {
        return detail::check_route(route);
    } catch (const detail::bad_route& bad) {
        refuse(route, bad.why);
    }
}

}  // namespace

route_pattern read_route(std::string_view route) {
    route_pattern pattern;
    pattern.captures = captures_of(route) != 0;
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

void apus::detail::check_runtime_route(std::string_view route, unsigned captures, const capture_names& names) {
    if (web::captures_of(route) != captures)
        web::refuse(route, "the handler's number of path parameters differs from the route's number of captures");
    for (unsigned i = 0; i < names.count; ++i)
        if (find_capture(route, names.at[i]) == max_route_captures)
            web::refuse(route, ("the handler takes path<\"" + std::string(names.at[i]) +
                                "\", T>, but the route has no capture of that name")
                                   .c_str());
    try {
        check_names(route, names);
    } catch (const bad_route& bad) {
        web::refuse(route, bad.why);
    }
}

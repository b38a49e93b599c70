// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace apus::web {

/// A route, segment by segment.
struct route_pattern {
    enum class kind : std::uint8_t {
        text,     ///< This segment, as sent.
        capture,  ///< One segment that is not empty.
        rest,     ///< One or more segments, the first of them not empty. Only at the end.
    };
    struct segment {
        kind what;
        std::string_view text;  ///< The segment, or the name of the capture. Points into the route.
    };
    std::vector<segment> segments;
    bool captures = false;  ///< Has a capture or the rest.
};

/// Reads a route that has the form described at `apus::app`. Throws `std::logic_error` for another.
route_pattern read_route(std::string_view route);

/// The name of the index-th capture of a route that `read_route` takes.
std::string_view capture_name(std::string_view route, unsigned index) noexcept;

}  // namespace apus::web

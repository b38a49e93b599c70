// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace apus::web {

/// A route as a list of segments.
struct route_pattern {
    enum class kind : std::uint8_t {
        text,     ///< This segment, compared without decoding.
        capture,  ///< One non-empty segment.
        rest,     ///< One or more segments, the first of them not empty. Only as the last segment.
    };
    struct segment {
        kind what;
        std::string_view text;  ///< The segment, or the name of the capture. Points into the route.
    };
    std::vector<segment> segments;
    bool captures = false;  ///< Whether a segment is a capture or the rest.
};

/// Parses a route in the form described at `apus::app`. Throws `std::logic_error` if it is invalid.
route_pattern read_route(std::string_view route);

/// Returns the name of capture `index` of a route that `read_route` accepts.
std::string_view capture_name(std::string_view route, unsigned index) noexcept;

}  // namespace apus::web

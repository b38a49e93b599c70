// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "web/method_set.hpp"
#include "web/text_table.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apus::web {

struct route_pattern;

/// Finds the route of a request, in time independent of the number of routes.
/// `apus::app` describes routes and their precedence. `find` does not allocate. Routes without captures are in a hash
/// table by their whole path. This table is searched first: in every segment, text takes precedence over captures, so a
/// route without captures is always the best match. The other routes form a tree of segments. Each node has one depth
/// and one prefix, so backtracking visits each node at most once.
class router {
public:
    static constexpr std::uint32_t none = text_table::absent;

    /// Returns the number of the new route: 0, 1, 2 ... in the order of calls.
    /// Throws `std::logic_error` if another route of the method matches the same paths.
    std::uint32_t add(method verb, std::string_view route);

    /// Result of matching a path.
    struct match {
        std::uint32_t route = none;  ///< The best route that has the method.
        std::uint32_t other = none;  ///< Otherwise: the best matching route, which lacks the method.
        method_set allowed;          ///< Otherwise: the methods of all matching routes.
        unsigned captures = 0;
    };

    /// Writes the captures of the route, not decoded, to `captures`, which has room for 16.
    match find(method verb, std::string_view path, std::string_view* captures) const noexcept;

    const std::string& text(std::uint32_t route) const noexcept { return texts_[route]; }
    std::size_t longest_run() const noexcept { return std::max(whole_.longest_run(), segments_.longest_run()); }

private:
    /// Routes of a node, by method.
    struct resource {
        std::uint32_t first;           // the route that was added first; usually the only route
        std::uint32_t several = none;  // index in several_ of the routes by method, if there are several routes
        method_set has;
    };
    using routes_by_method = std::array<std::uint32_t, routable_methods>;
    struct node {
        std::uint32_t resource = none;  // resource of paths that end at this node
        std::uint32_t capture = none;   // child for a capture
        std::uint32_t rest = none;      // resource of a rest capture
        bool has_texts = false;         // segments_ holds children of this node
    };
    struct walk {
        std::string_view path;
        std::string_view* captures;
        method verb;
        match& found;
    };

    std::uint32_t resource_for(std::string_view route);
    std::uint32_t& end_of(const route_pattern&);
    std::uint32_t route_of(const resource&, method) const noexcept;
    void set_route(resource&, method, std::uint32_t route);
    /// Returns the method whose route handles a request: GET for HEAD if HEAD has no route.
    static method method_used(const resource&, method) noexcept;
    [[gnu::noinline]] match find_in_tree(std::uint32_t whole, method, std::string_view path,
                                         std::string_view* captures) const noexcept;
    bool take(std::uint32_t resource, const walk&) const noexcept;
    bool descend(std::uint32_t node, std::size_t slash, const walk&) const noexcept;

    text_table whole_;     // whole paths -> resource
    text_table segments_;  // node, segment -> node
    std::vector<node> nodes_{1};
    std::vector<resource> resources_;
    std::vector<routes_by_method> several_;
    std::vector<std::string> texts_;
};

}  // namespace apus::web

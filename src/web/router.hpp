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

/// Finds the route of a request, at a cost that does not depend on how many there are. Routes and
/// their precedence are described at `apus::app`. `find` allocates nothing.
///
/// Routes without captures are found by their whole path in one table. They come first: text
/// beats a capture in every segment, so the first leaf of a walk from the left is such a route, if
/// there is one. The others are a tree of segments; as a node stands for one depth and one way to
/// it, a lookup sees each at most once, however it has to go back.
class router {
public:
    static constexpr std::uint32_t none = text_table::absent;

    /// Takes the numbers 0, 1, 2 ... for the routes, in the order added. Throws `std::logic_error`
    /// for a route that matches the same paths as another of the method.
    std::uint32_t add(method verb, std::string_view route);

    /// What a request's path has matched.
    struct match {
        std::uint32_t route = none;  ///< The best route that has the method.
        std::uint32_t other = none;  ///< If there is none: the best route that has not.
        method_set allowed;          ///< If there is none: the methods of all routes that match.
        unsigned captures = 0;
    };

    /// Writes the captures of the route, as sent, to `captures`, where there is room for 16.
    match find(method verb, std::string_view path, std::string_view* captures) const noexcept;

    const std::string& text(std::uint32_t route) const noexcept { return texts_[route]; }
    std::size_t longest_run() const noexcept { return std::max(whole_.longest_run(), segments_.longest_run()); }

private:
    /// What some paths lead to: a route for each of some methods.
    struct resource {
        std::uint32_t first;           // the route that was added first, and mostly the only one
        std::uint32_t several = none;  // where several_ has the routes by method, if there are more
        method_set has;
    };
    using routes_by_method = std::array<std::uint32_t, routable_methods>;
    struct node {
        std::uint32_t resource = none;  // for a path that ends here
        std::uint32_t capture = none;   // the node behind a capture
        std::uint32_t rest = none;      // the resource behind the rest
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
    void give_route(resource&, method, std::uint32_t route);
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

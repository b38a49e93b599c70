// SPDX-License-Identifier: Apache-2.0
#include "web/router.hpp"

#include "web/route_pattern.hpp"

#include <algorithm>
#include <stdexcept>

namespace apus::web {
namespace {

std::string in_quotes(std::string_view text) { return '"' + std::string(text) + '"'; }

}  // namespace

std::uint32_t router::add(method verb, std::string_view route) {
    resource& here = resources_[resource_for(route)];
    if (here.has.has(verb)) {
        const std::string& other = texts_[route_of(here, verb)];
        throw std::logic_error(std::string(method_name(verb)) + ' ' + in_quotes(route) + " matches the same paths as " +
                               in_quotes(other) + ", which was added before");
    }
    const auto number = static_cast<std::uint32_t>(texts_.size());
    texts_.emplace_back(route);
    set_route(here, verb, number);
    return number;
}

std::uint32_t router::route_of(const resource& of, method verb) const noexcept {
    return of.several == none ? of.first : several_[of.several][static_cast<unsigned>(verb)];
}

void router::set_route(resource& to, method verb, std::uint32_t route) {
    if (to.has.empty()) {
        to.first = route;
    } else {
        if (to.several == none) {
            to.several = static_cast<std::uint32_t>(several_.size());
            several_.emplace_back().fill(to.first);  // entries of methods without a route are not used
        }
        several_[to.several][static_cast<unsigned>(verb)] = route;
    }
    to.has |= method_set(verb);
}

// Returns the resource for the paths that `route` matches; creates it if missing.
std::uint32_t router::resource_for(std::string_view route) {
    const auto fresh = static_cast<std::uint32_t>(resources_.size());
    const route_pattern pattern = read_route(route);
    std::uint32_t found;
    if (!pattern.captures) {
        found = whole_.add(0, route, fresh);
    } else {
        std::uint32_t& end = end_of(pattern);
        if (end == none) end = fresh;
        found = end;
    }
    if (found == fresh) resources_.emplace_back();
    return found;
}

// Returns the resource number of a pattern in the tree; creates missing nodes.
std::uint32_t& router::end_of(const route_pattern& pattern) {
    std::uint32_t at = 0;
    for (const auto& segment : pattern.segments) {
        if (segment.what == route_pattern::kind::rest) return nodes_[at].rest;
        const auto fresh = static_cast<std::uint32_t>(nodes_.size());
        std::uint32_t child = fresh;
        if (segment.what == route_pattern::kind::text) {
            nodes_[at].has_texts = true;
            child = segments_.add(at, segment.text, fresh);
        } else if (nodes_[at].capture != none) {
            child = nodes_[at].capture;
        } else {
            nodes_[at].capture = fresh;
        }
        if (child == fresh) nodes_.emplace_back();
        at = child;
    }
    return nodes_[at].resource;
}

router::match router::find(method verb, std::string_view path, std::string_view* captures) const noexcept {
    if (!path.starts_with('/')) return {};
    const std::uint32_t whole = whole_.find(0, path);
    if (whole != none) {
        const resource& here = resources_[whole];
        const method used = method_used(here, verb);
        if (here.has.has(used)) return {route_of(here, used), none, {}, 0};
    }
    return find_in_tree(whole, verb, path, captures);
}

// A separate function, so that routes without captures do not pay for its objects in memory.
router::match router::find_in_tree(std::uint32_t whole, method verb, std::string_view path,
                                   std::string_view* captures) const noexcept {
    match found;
    const walk w{path, captures, verb, found};
    if (whole != none && take(whole, w)) return found;
    if (!descend(0, 0, w)) found.captures = 0;
    return found;
}

method router::method_used(const resource& here, method verb) noexcept {
    return verb == method::head && !here.has.has(verb) ? method::get : verb;
}

// Whether a resource with a matching path has the method. If not, records the methods of the resource.
bool router::take(std::uint32_t number, const walk& w) const noexcept {
    const resource& here = resources_[number];
    const method verb = method_used(here, w.verb);
    if (here.has.has(verb)) {
        w.found.route = route_of(here, verb);
        return true;
    }
    if (w.found.other == none) w.found.other = here.first;
    w.found.allowed |= here.has;
    return false;
}

// Matches the path from position `slash` (a '/' or the end) against the children of a node.
bool router::descend(std::uint32_t number, std::size_t slash, const walk& w) const noexcept {
    const node& here = nodes_[number];
    if (slash == w.path.size()) return here.resource != none && take(here.resource, w);
    const std::size_t end = std::min(w.path.find('/', slash + 1), w.path.size());
    const std::string_view segment = w.path.substr(slash + 1, end - slash - 1);
    if (here.has_texts) {
        std::uint32_t child = segments_.find(number, segment);
        if (child != none && descend(child, end, w)) return true;
    }
    if (segment.empty() || (here.capture == none && here.rest == none)) return false;
    std::string_view& capture = w.captures[w.found.captures++];
    capture = segment;
    if (here.capture != none && descend(here.capture, end, w)) return true;
    capture = w.path.substr(slash + 1);
    if (here.rest != none && take(here.rest, w)) return true;
    --w.found.captures;
    return false;
}

}  // namespace apus::web

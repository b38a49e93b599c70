// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "web/error_handlers.hpp"

#include <apus/app.hpp>
#include <apus/security_note.hpp>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace apus {

/// Annotations of a route from its `route_note`.
struct route_words {
    std::string summary, description, operation_id;
    std::vector<std::string> tags;
    bool deprecated = false, hidden = false;
};

namespace web {

/// A route as served, for API descriptions.
struct described_route {
    method verb;
    std::string path;                      ///< With the prefixes of mounts.
    const detail::operation* about;        ///< Null for internal handlers.
    const route_words* words;              ///< Null if the route has no annotations.
    std::vector<security_note> asks = {};  ///< Requirements of the middleware, outermost first.
    error_handlers errors = {};            ///< Error handlers of the apps around the route.
};

/// Receives the routes of an app and its mounted apps, once all are known.
/// The routes are valid during the call.
using route_reader = std::function<void(std::span<const described_route>)>;

}  // namespace web
}  // namespace apus

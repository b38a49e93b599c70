// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>
#include <apus/security_note.hpp>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace apus {

/// What a program says of a route by its `route_note`.
struct route_words {
    std::string summary, description, operation_id;
    std::vector<std::string> tags;
    bool deprecated = false, hidden = false;
};

namespace web {

/// A route as it is served, for those who describe it.
struct described_route {
    method verb;
    std::string path;                      ///< With the prefixes of mounts.
    const detail::operation* about;        ///< Null for what is no handler of a user's.
    const route_words* words;              ///< Null if nothing is said.
    std::vector<security_note> asks = {};  ///< What the middleware around it says, from the outermost on.
};

/// Gets the routes of an app and of all that is mounted in it, once they are known; they live as long
/// as the call.
using route_reader = std::function<void(std::span<const described_route>)>;

}  // namespace web
}  // namespace apus

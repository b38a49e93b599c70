// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::modules {

/// `#include <name>` or `#include "name"`.
struct inclusion {
    std::string name;
    bool quoted = false;
    std::size_t line = 1;
};

/// `app.get("/path", ...)`: a route with a literal path.
struct literal_route {
    std::string receiver;  ///< "app"
    std::string method;    ///< "GET"
    std::string path;
    std::string maker;  ///< The function that returns the app, such as "make_app"; empty if unknown.
    std::size_t line = 1;
};

/// `app.mount("/prefix", what)`.
/// `what` is the name of a variable ("admin", also inside std::move), or the qualified name of a function that returns
/// an app ("auth::make_app").
struct literal_mount {
    std::string onto;
    std::string prefix;  ///< Empty for `app.mount(what)`.
    std::string what;
    std::string maker;
    std::size_t line = 1;
};

/// The includes of a source, and its routes and mounts with literal paths.
struct source_facts {
    std::vector<inclusion> inclusions{};
    std::vector<literal_route> routes{};
    std::vector<literal_mount> mounts{};
};

/// Scans a C++ source, ignoring comments. Accepts any input, also invalid C++.
source_facts read_source(std::string_view text);

}  // namespace apus::cli::modules

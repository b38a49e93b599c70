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

/// `app.get("/path", ...)`: a route that the source says in a literal.
struct literal_route {
    std::string receiver;  ///< "app"
    std::string method;    ///< "GET"
    std::string path;
    std::string maker;  ///< The function that returns the app, as "make_app"; empty if there is none above.
    std::size_t line = 1;
};

/// `app.mount("/prefix", what)`. What is mounted is a variable ("admin", also behind std::move), or the
/// function that made it, with its namespaces ("auth::make_app").
struct literal_mount {
    std::string onto;
    std::string prefix;  ///< Empty for `app.mount(what)`.
    std::string what;
    std::string maker;
    std::size_t line = 1;
};

/// What a source says of borders, as far as literals do.
struct source_facts {
    std::vector<inclusion> inclusions{};
    std::vector<literal_route> routes{};
    std::vector<literal_mount> mounts{};
};

/// Reads a C++ source; what stands in comments and texts is not looked at. Whatever the bytes, there is
/// an answer, since the compiler says better what is wrong with them.
source_facts read_source(std::string_view text);

}  // namespace apus::cli::modules

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/manifest/manifest.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// A route as listed by the program.
struct listed_route {
    std::string method;
    std::string path;
    bool is_socket = false;  ///< Whether this is a WebSocket route.
};

/// Returns true if the build of a preset has created the project's program.
bool has_program(const manifest::manifest& project, const std::string& preset);

/// Returns the routes of the built program.
/// Throws E0307 with the program's output if the program fails to create its app.
std::vector<listed_route> routes_of(const manifest::manifest& project, const std::string& preset);

/// Returns the path of the API description: the route that ends in /openapi.json, or "".
std::string find_description(const std::vector<listed_route>& routes);

/// Starts the built program, requests its API description and returns it.
std::string request_description(const manifest::manifest& project, const std::string& preset, const std::string& path);

/// Builds the program and prints its routes.
void print_routes(const std::string& preset, bool json, terminal::shell& shell);

/// Builds the program and prints its API description, or writes it to `output`.
/// Throws E0308 if the app has no API description.
void print_description(const std::string& preset, const std::string& output, terminal::shell& shell);

}  // namespace apus::cli::work

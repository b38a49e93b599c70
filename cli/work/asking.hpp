// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/manifest/manifest.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// A route as the program tells it.
struct told_route {
    std::string method;
    std::string path;
    bool is_socket = false;  ///< The opening handshake of a WebSocket.
};

/// Whether the build of a preset has made the project's program.
bool has_program(const manifest::manifest& project, const std::string& preset);

/// Asks the program, which is built, for its routes. Throws E0307 with what it says if it cannot make its app.
std::vector<told_route> routes_of(const manifest::manifest& project, const std::string& preset);

/// The path of the description that the app serves, among its routes: one that ends in /openapi.json. Empty if there
/// is none.
std::string description_among(const std::vector<told_route>& routes);

/// Starts the program, which is built, and asks it for its description.
std::string ask_for_description(const manifest::manifest& project, const std::string& preset, const std::string& path);

/// Builds the program and prints its routes.
void print_routes(const std::string& preset, bool json, terminal::shell& shell);

/// Builds the program and prints the description that it serves, or writes it to `output`. Throws E0308 if it serves
/// none.
void print_description(const std::string& preset, const std::string& output, terminal::shell& shell);

}  // namespace apus::cli::work

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/security.hpp"

#include <apus/serve.hpp>

#include <expected>
#include <string>
#include <vector>

namespace apus::server {

struct command_line {
    serve_options options;
    bool wants_help = false;
    bool wants_routes = false;                                       ///< A list of the routes, and no serving.
    std::vector<runtime::server_security::files> certificates = {};  ///< In place of those that the program named.
    bool self_signs = false;
};

/// Reads what follows the program's name. The error is a sentence that names the argument.
std::expected<command_line, std::string> read_command_line(int argc, char** argv, serve_options defaults);

/// What `--help` prints.
std::string usage(const char* program, bool with_tls);

}  // namespace apus::server

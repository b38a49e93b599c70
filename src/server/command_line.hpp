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
    bool wants_statements = false;                                   ///< List the SQL statements instead of serving.
    bool wants_routes = false;                                       ///< List the routes instead of serving.
    std::vector<runtime::server_security::files> certificates = {};  ///< Replaces the program's certificates.
    bool self_signs = false;
};

/// Parses the arguments after the program's name. The error message names the argument.
std::expected<command_line, std::string> read_command_line(int argc, char** argv, serve_options defaults);

/// Returns the output of `--help`.
std::string usage(const char* program, bool with_tls);

}  // namespace apus::server

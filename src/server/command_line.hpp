// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/security.hpp"

#include <apus/serve.hpp>

#include <expected>
#include <span>
#include <string>
#include <string_view>
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

/// Returns the part of the usage that lists the options.
std::string options_usage(bool with_tls);

/// All options, such as "--port".
std::span<const std::string_view> option_names() noexcept;
bool is_option(std::string_view name) noexcept;
/// Whether the next argument is the option's value, if the option has no `=`.
bool takes_value(std::string_view option) noexcept;

}  // namespace apus::server

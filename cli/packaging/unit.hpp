// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/packaging/product.hpp"

namespace apus::cli::packaging {

/// The service's unit for systemd: a user without rights, its own folders, and everything forbidden that a
/// server does not need. `lines` of the manifest stand last, so that they win.
std::string unit(const product& of);

/// /etc/NAME/NAME.env, which the unit reads: options and variables for who runs it.
std::string environment_file(const product& of);

/// sysusers.d(5) and tmpfiles.d(5): the user and the folder of its data.
std::string users(const product& of);
std::string folders(const product& of);

/// "SHOP_OPTIONS": the variable whose words are added to the command line.
std::string options_variable(const product& of);

/// The server's command line behind the program: --host, --port, and the manifest's arguments.
std::vector<std::string> command_line(const product& of, std::string_view host);

}  // namespace apus::cli::packaging

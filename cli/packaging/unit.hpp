// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/packaging/product.hpp"

namespace apus::cli::packaging {

/// Returns the systemd unit: an unprivileged user, private folders, and a restrictive sandbox.
/// The manifest's `lines` come last, and override earlier lines.
std::string unit(const product& of);

/// Returns /etc/NAME/NAME.env, in which the operator sets options and environment variables.
std::string environment_file(const product& of);

/// Return the sysusers.d(5) file for the user and the tmpfiles.d(5) file for the data folder.
std::string users(const product& of);
std::string folders(const product& of);

/// Returns the name of the variable with additional command line options: "SHOP_OPTIONS".
std::string options_variable(const product& of);

/// Returns the server's command line: --host, --port, and the manifest's arguments.
std::vector<std::string> command_line(const product& of, std::string_view host);

}  // namespace apus::cli::packaging

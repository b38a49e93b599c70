// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/packaging/product.hpp"

namespace apus::cli::packaging {

/// Returns the systemd unit: an unprivileged user, private folders, and a restrictive sandbox.
/// The manifest's `lines` come last and override earlier ones.
std::string unit(const product& of);

/// Returns /etc/NAME/NAME.env, which the unit reads: options and environment variables that the
/// operator sets.
std::string environment_file(const product& of);

/// Return sysusers.d(5) and tmpfiles.d(5) files: the user and the folder of its data.
std::string users(const product& of);
std::string folders(const product& of);

/// Returns "SHOP_OPTIONS": the variable with additional command line options.
std::string options_variable(const product& of);

/// Returns the server's command line: --host, --port, and the manifest's arguments.
std::vector<std::string> command_line(const product& of, std::string_view host);

}  // namespace apus::cli::packaging

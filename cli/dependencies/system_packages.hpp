// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal/shell.hpp"

namespace apus::cli::dependencies {

/// Whether a package of Debian can have this name; apt-get takes other words for options, files or what is to be
/// removed.
bool is_package_name(std::string_view name) noexcept;

/// Packages of the list that the system does not have. Nothing, where there is no dpkg.
std::vector<std::string> lacking(const std::vector<std::string>& packages);

/// Installs Debian's packages by apt-get, as root or by sudo, which may ask for a password. Throws E0510, also for a
/// word that is no name.
void install_packages(const std::vector<std::string>& packages, terminal::shell& shell);

}  // namespace apus::cli::dependencies

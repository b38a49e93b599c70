// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/terminal/shell.hpp"

namespace apus::cli::sdk {

/// Packages of the list that the system does not have. Nothing, where there is no dpkg.
std::vector<std::string> lacking(const std::vector<std::string>& packages);

/// Installs Debian's packages by apt-get, as root or by sudo, which may ask for a password. Throws E0510.
void install_packages(const std::vector<std::string>& packages, terminal::shell& shell);

}  // namespace apus::cli::sdk

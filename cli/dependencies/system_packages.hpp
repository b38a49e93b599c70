// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal/shell.hpp"

namespace apus::cli::dependencies {

/// Returns true for a valid Debian package name.
/// apt-get would interpret other words as options, files or removals.
bool is_package_name(std::string_view name) noexcept;

/// Returns the packages that are not installed. Empty on systems without dpkg.
std::vector<std::string> missing_packages(const std::vector<std::string>& packages);

/// Installs Debian packages with apt-get, as root or through sudo, which may prompt for a password.
/// Throws E0510 if apt-get fails or a package name is invalid.
void install_packages(const std::vector<std::string>& packages, terminal::shell& shell);

}  // namespace apus::cli::dependencies

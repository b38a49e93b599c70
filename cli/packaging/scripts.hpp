// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/packaging/product.hpp"

namespace apus::cli::packaging {

/// Return the maintainer scripts for dpkg.
/// The scripts create the user and its data folder, and enable, start and stop the service. Purging the package keeps
/// the data in /var/lib. Without a running systemd, as in a chroot or an image, the scripts do not start the service.
std::string deb_postinst(const product& of);
std::string deb_prerm(const product& of);
std::string deb_postrm(const product& of);

/// Returns the same scripts for rpm, as sections of a spec file.
std::string rpm_scripts(const product& of);

}  // namespace apus::cli::packaging

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/packaging/product.hpp"

namespace apus::cli::packaging {

/// What dpkg runs when it installs, removes and purges: the user and its folder are made, the service is enabled and
/// started, and stopped and forgotten. What is in /var/lib stays when a package is purged: it is not the package's.
/// All work, and start nothing, where systemd does not run, as in a chroot or an image.
std::string deb_postinst(const product& of);
std::string deb_prerm(const product& of);
std::string deb_postrm(const product& of);

/// The same for rpm, as sections of a spec.
std::string rpm_scripts(const product& of);

}  // namespace apus::cli::packaging

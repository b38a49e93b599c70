// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/packaging/product.hpp"

namespace apus::cli::packaging {

/// Return dpkg maintainer scripts.
/// They create the user and its folder; enable, start and stop the service. Purging keeps the data in /var/lib. Without
/// systemd, as in a chroot or an image, they start nothing.
std::string deb_postinst(const product& of);
std::string deb_prerm(const product& of);
std::string deb_postrm(const product& of);

/// Returns the same for rpm, as sections of a spec file.
std::string rpm_scripts(const product& of);

}  // namespace apus::cli::packaging

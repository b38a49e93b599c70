// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cli/dependencies/bill.hpp"
#include "cli/packaging/libraries.hpp"
#include "cli/packaging/product.hpp"

namespace apus::cli::packaging {

/// Returns the components of a package.
/// These are Apus, Swagger UI, the packages of apus.lock, and the distribution packages of the shared libraries. The
/// SHA-256 of the package itself is not set yet.
dependencies::bill bill_of_package(const product& of);

/// Adds distribution packages. Replaces entries of the same package in another version.
void add_packages(dependencies::bill& to, const std::vector<part>& packages);

}  // namespace apus::cli::packaging

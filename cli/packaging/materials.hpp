// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cli/dependencies/bill.hpp"
#include "cli/packaging/libraries.hpp"
#include "cli/packaging/product.hpp"

namespace apus::cli::packaging {

/// What a package of this is made of: Apus, what it serves its pages with, and the packages of apus.lock, which are
/// in the program, and the
/// distribution's packages whose libraries it is loaded with. What it is about lacks the package's SHA-256.
dependencies::bill materials_of(const product& of);

/// Adds packages of the distribution that are not in it yet, in place of other versions of the same.
void add_packages(dependencies::bill& to, const std::vector<part>& packages);

}  // namespace apus::cli::packaging

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/packaging/libraries.hpp"

namespace apus::cli::packaging {

/// The bill of materials of a package, as CycloneDX 1.6 in JSON: the program, and the distribution's packages
/// whose libraries it is loaded with. `sha256` is the package's.
std::string bill_of_materials(const product& of, const std::vector<part>& parts, const std::string& sha256);

}  // namespace apus::cli::packaging

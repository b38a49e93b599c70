// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/dependencies/lock.hpp"
#include "cli/manifest/manifest.hpp"

namespace apus::cli::dependencies {

/// The packages of a lock by their licences, those that nobody knows last.
std::string licenses_of(const lock& all);

/// A software bill of materials of the project: CycloneDX 1.6 in JSON. The time in it is SOURCE_DATE_EPOCH, and with
/// that set the same lock gives the same bytes.
std::string bill_of_materials(const manifest::manifest& project, const lock& all);

}  // namespace apus::cli::dependencies

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/dependencies/component.hpp"
#include "cli/manifest/manifest.hpp"

namespace apus::cli::dependencies {

/// The packages of a lock by their licences, those that nobody knows last.
std::string licenses_of(const lock& all);

/// What a program or a package is made of.
struct bill {
    component of;  ///< `needs` has what it is made of directly.
    std::vector<component> parts;
    std::string time;  ///< As RFC 3339 has it.
};

/// A bill of materials as CycloneDX 1.6 in JSON: the same bytes for the same bill. It has a serial number if the
/// SHA-256 of what it is about is known, which that is made of.
std::string cyclonedx(const bill& all);

/// That of a project: the packages of its lock, and Apus in the version that is pinned, or else the tool's own. The
/// time
/// in it is SOURCE_DATE_EPOCH, and with that set the same lock gives the same bytes.
bill bill_of_project(const manifest::manifest& project, const lock& all);

}  // namespace apus::cli::dependencies

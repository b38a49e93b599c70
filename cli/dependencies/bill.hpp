// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/dependencies/component.hpp"
#include "cli/manifest/manifest.hpp"

namespace apus::cli::dependencies {

/// Returns the packages of a lock, grouped by license, with unknown licenses last.
std::string licenses_of(const lock& all);

/// A bill of materials: the components of a program or package.
struct bill {
    component of;  ///< The program or package; `needs` lists its direct dependencies.
    std::vector<component> parts;
    std::string time;  ///< Timestamp (RFC 3339).
};

/// Returns a bill of materials in CycloneDX 1.6 JSON.
/// Equal input gives equal bytes. The serial number is derived from the SHA-256 of `of`. If `of` has no SHA-256, the
/// bill has no serial number.
std::string cyclonedx(const bill& all);

/// Returns the bill of a project: the packages of its lock, and Apus.
/// The version of Apus is the pinned version, otherwise the version of the tool. The timestamp is SOURCE_DATE_EPOCH,
/// otherwise the current time. With SOURCE_DATE_EPOCH, equal locks give equal bytes.
bill bill_of_project(const manifest::manifest& project, const lock& all);

}  // namespace apus::cli::dependencies

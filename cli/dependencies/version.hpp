// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <string>
#include <string_view>

namespace apus::cli::dependencies {

/// Compares versions part by part: digits as numbers, all other parts as text.
/// "1.10" is later than "1.9", "1.0" is later than "1.0-rc1", and "1.0" equals "1.0.0".
std::strong_ordering compare_versions(std::string_view a, std::string_view b);

/// Returns true if a version satisfies a requirement.
/// "*": any version; ">=9.1": 9.1 or later; "9": versions whose first part is 9.
bool satisfies(std::string_view version, std::string_view wanted);

/// Returns the version requirement that `apus add` writes by default: "9" for "9.1.0".
/// Returns "0.4" for "0.4.2". Returns a date or a version without numbers unchanged.
std::string usual_request(std::string_view version);

/// Returns the upstream part of a Debian version: "1.2.13" for "1:1.2.13.dfsg-1".
std::string upstream_version(std::string_view debian);

}  // namespace apus::cli::dependencies

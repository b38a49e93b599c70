// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <string>
#include <string_view>

namespace apus::cli::dependencies {

/// Compares part by part: numbers as numbers, what is left as text. "1.10" is later than "1.9", "1.0" than
/// "1.0-rc1", and "1.0" is "1.0.0".
std::strong_ordering compare_versions(std::string_view a, std::string_view b);

/// Whether a version is one that is wanted: "*" any, ">=9.1" that or later, "9" each that begins with
/// the part 9.
bool is_wanted(std::string_view version, std::string_view wanted);

/// What `apus add` writes for a version that nobody asked for: "9.1.0" -> "9", "0.4.2" -> "0.4"; one
/// that is a date, or no number, whole.
std::string usual_request(std::string_view version);

/// Debian's version without what Debian puts to it: "1:1.2.13.dfsg-1" -> "1.2.13".
std::string upstream_version(std::string_view debian);

}  // namespace apus::cli::dependencies

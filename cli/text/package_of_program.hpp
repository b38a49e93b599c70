// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::cli::text {

/// Returns the Debian 12 package that contains a program; empty if unknown.
/// The name may include a version (`g++-12`).
std::string_view package_of_program(std::string_view program);

}  // namespace apus::cli::text

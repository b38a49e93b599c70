// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::cli::text {

/// The package of Debian 12 that has a program, with or without a version behind its name (`g++-12`).
/// Empty for those that are not known.
std::string_view package_of_program(std::string_view program);

}  // namespace apus::cli::text

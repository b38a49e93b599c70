// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/dependencies/lock.hpp"

namespace apus::cli::dependencies {

/// Returns the text of cmake/dependencies.cmake.
/// This file finds the locked packages and sets `apus_dependencies` to their targets. It needs neither the tool nor
/// apus.lock.
std::string cmake_of(const lock& all);

}  // namespace apus::cli::dependencies

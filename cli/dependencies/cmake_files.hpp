// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/dependencies/lock.hpp"

namespace apus::cli::dependencies {

/// cmake/dependencies.cmake: finds the packages of a lock and lists their targets in `apus_dependencies`. Plain
/// CMake, which needs neither the tool nor apus.lock.
std::string cmake_of(const lock& all);

}  // namespace apus::cli::dependencies

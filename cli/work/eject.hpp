// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// Copies the SDK's CMake functions to cmake/apus in the project, and includes the copies.
/// The user can edit the copies of `apus_application`, `apus_tests` and others. Throws E0309 if the folder exists, if
/// no SDK is found, or if CMakeLists.txt does not call find_package(apus).
void eject(terminal::shell& shell);

}  // namespace apus::cli::work

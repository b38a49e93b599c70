// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// Copies the SDK's CMake functions (`apus_application`, `apus_tests`, ...) to cmake/apus in the
/// project. They can be edited there; CMakeLists.txt includes them. Throws E0309 if the folder exists, if no SDK is
/// found, or if CMakeLists.txt does not find Apus.
void eject(terminal::shell& shell);

}  // namespace apus::cli::work

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// Writes the functions of CMake that the project calls (`apus_application`, `apus_tests` and so on) from the SDK into
/// its cmake/apus, and has its CMakeLists.txt read those: what the project is built by is then all in it, to be changed
/// at will. Throws E0309 if that is so already, if no SDK is found, or if CMakeLists.txt does not look for Apus.
void eject(terminal::shell& shell);

}  // namespace apus::cli::work

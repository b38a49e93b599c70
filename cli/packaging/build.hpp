// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "cli/packaging/product.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::packaging {

/// Builds the project's program by its preset `release` in build/package, or build/package-MACHINE for another
/// machine than this, so that the folder it is built in does not show in it. Gives the program. Throws
/// E0705 if it does not build, E0107 without CMake, E0706 without a compiler for the machine.
std::filesystem::path build(const product& of, const architecture& target, terminal::shell& shell);

/// Where `build` has put it; throws E0702 if it has not.
std::filesystem::path built(const product& of, const architecture& target);

/// Copies a program without its symbols.
void strip(const std::filesystem::path& from, const std::filesystem::path& to, const architecture& machine);

}  // namespace apus::cli::packaging

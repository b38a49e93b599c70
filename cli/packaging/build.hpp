// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "cli/packaging/product.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::packaging {

/// A build of the program to package.
struct release {
    const product& of;
    const architecture& target;
    std::string preset = "release";

    /// Returns build/package, with preset and architecture appended unless they are the defaults.
    std::filesystem::path folder() const;

    /// Returns the SDK: the project's SDK for this machine, APUS_SDK for another architecture.
    /// Empty: CMake searches for the SDK.
    std::filesystem::path sdk() const;
};

/// Throws E0702 if the project is a library. Call it before the build, which may take long.
void refuse_library(const manifest::manifest& project);

/// Builds the program reproducibly: its bytes do not depend on the folder.
/// Returns the path of the program. Throws E0702 if the build has no program, E0705 if the build fails, E0107 without
/// CMake, and E0706 without a C++ library for the architecture. The caller holds a `folder_lock` on the folder.
std::filesystem::path build(const release& what, terminal::shell& shell);

/// Returns the path of the program that `build` created. Throws E0702 if it does not exist.
std::filesystem::path built(const release& what);

/// Copies a program or library without its symbols.
void strip(const std::filesystem::path& from, const std::filesystem::path& to, const architecture& machine);

}  // namespace apus::cli::packaging

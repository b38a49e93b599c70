// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "cli/packaging/product.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::packaging {

/// A build of the program that packages hold.
struct release {
    const product& of;
    const architecture& target;
    std::string preset = "release";

    /// build/package, with the names of another preset and another machine than this behind it.
    std::filesystem::path folder() const;

    /// The Apus that it is built with: for this machine as elsewhere, for another the one that APUS_SDK names. Empty
    /// where CMake looks by itself.
    std::filesystem::path sdk() const;
};

/// Throws E0702 if a project is a library. Called before anything is built, since that may take long.
void refuse_library(const manifest::manifest& project);

/// Builds the project's program in such a way that the folder it is built in does not show in it. Gives the program.
/// Throws
/// E0702 if there is none, E0705 if it does not build, E0107 without CMake, E0706 without a C++ library for the
/// machine.
/// Who calls it holds a `folder_lock` of the folder.
std::filesystem::path build(const release& what, terminal::shell& shell);

/// Where `build` has put it; throws E0702 if it has not.
std::filesystem::path built(const release& what);

/// Copies a program without its symbols.
void strip(const std::filesystem::path& from, const std::filesystem::path& to, const architecture& machine);

}  // namespace apus::cli::packaging

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/manifest/manifest.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// Options of a build.
struct build_options {
    std::string preset;
    std::vector<std::string> targets{};  ///< Empty: all targets.
    long jobs = 0;                       ///< 0: Ninja's default.
    /// If not empty, only these files (relative to the project) have changed since the last build.
    /// CMake then does not check for added and removed files, unless it reads one of these files itself.
    std::vector<std::string> only_changed{};
};

/// How a build ended.
struct build_result {
    bool ok = true;
    std::string explained{};  ///< Explanations of its errors.
    std::string said{};       ///< Output of compilers, linker and CMake, without lines of Ninja.
    bool has_changed = false;
    bool miscompiles = false;  ///< CMake rejected the compiler because it miscompiles coroutines.
    bool ran_cmake = true;     ///< Whether CMake checked for added and removed sources; see `only_changed`.
};

/// Builds the project.
/// Configures first if the SDK or a preset changed. Prints one line for each compiled file and linked program, and
/// compiler output with relative paths, below explanations of its errors. Waits while another `apus` builds the same
/// preset. Creates a link to compile_commands.json in the project's folder.
build_result try_build(const manifest::manifest& project, const build_options& options, terminal::shell& shell);

/// Calls `try_build` and throws on failure: E0302 if the build fails, E0301 if CMake fails, E0315
/// if CMake rejects the compiler.
void build(const manifest::manifest& project, const build_options& options, terminal::shell& shell);

/// Returns the path of the project's program for a preset; it may not exist.
/// Throws E0303 if the project has no program.
std::filesystem::path program_of(const manifest::manifest& project, std::string_view preset);

}  // namespace apus::cli::work

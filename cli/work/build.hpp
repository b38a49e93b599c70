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
    /// If not empty, the only files that have changed since the last build, relative to the project.
    /// CMake then does not search for added and removed sources, unless one of these files is an input of CMake.
    std::vector<std::string> only_changed{};
};

/// How a build ended.
struct build_result {
    bool ok = true;
    std::string explained{};  ///< Explanations of the errors.
    std::string said{};       ///< Output of compilers, linker and CMake, without Ninja's own lines.
    bool has_changed = false;
    bool miscompiles = false;  ///< CMake rejected the compiler because it miscompiles coroutines.
    bool ran_cmake = true;     ///< Whether CMake searched for added and removed sources; see `only_changed`.
};

/// Builds the project.
/// Configures first if the SDK or a preset has changed. Prints one line for each compiled file and linked program, then
/// explanations of errors, then the compiler output with relative paths. Waits while another `apus` process builds the
/// same preset. Creates a link to compile_commands.json in the project's folder.
build_result try_build(const manifest::manifest& project, const build_options& options, terminal::shell& shell);

/// Calls `try_build` and throws if it fails.
/// E0302: the build failed. E0301: CMake failed. E0315: CMake rejected the compiler.
void build(const manifest::manifest& project, const build_options& options, terminal::shell& shell);

/// Returns the path of the project's built program. Throws E0303 if the build has no such program.
std::filesystem::path program_of(const manifest::manifest& project, std::string_view preset);

}  // namespace apus::cli::work

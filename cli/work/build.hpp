// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/manifest/manifest.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// What to build.
struct build_options {
    std::string preset;
    std::vector<std::string> targets{};  ///< None: everything.
    long jobs = 0;                       ///< 0: as Ninja likes.
    /// If not empty: the files of the project, relative to its folder, whose content is all that has changed since the
    /// last build. CMake is not asked then whether others have come or gone, unless it reads one of these.
    std::vector<std::string> only_changed{};
};

/// How a build ended.
struct build_result {
    bool ok = true;
    std::string explained{};  ///< What is known of the errors in it.
    std::string said{};       ///< What compilers, linker and CMake said, without Ninja's own lines.
    bool did_something = false;
    bool miscompiles = false;  ///< CMake has refused the compiler, which miscompiles coroutines.
    bool asked_cmake = true;   ///< Whether sources have come or gone; else `only_changed` spared that.
};

/// Configures if that has not been done with this SDK and these presets, and builds: a line for each file that was
/// compiled and each program that was linked, and what the compiler says as it is, with paths below the
/// project's folder; above it, what is known of its errors. Waits while another `apus` builds the same. Leaves a link
/// to compile_commands.json in
/// the project's folder.
build_result try_build(const manifest::manifest& project, const build_options& options, terminal::shell& shell);

/// The same; a build that fails throws E0302, and what CMake refuses E0301, or E0315 if
/// it is the compiler that is refused.
void build(const manifest::manifest& project, const build_options& options, terminal::shell& shell);

/// The project's program of a preset, which need not be there. Throws E0303 for a project that has none.
std::filesystem::path program_of(const manifest::manifest& project, std::string_view preset);

}  // namespace apus::cli::work

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "cli/system/process.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// A program that must match the compiler's version: llvm-profdata, llvm-cov, llvm-symbolizer.
struct compiler_program {
    std::string name;    ///< Installed name with the compiler's version: "llvm-cov-19".
    std::string path{};  ///< Empty if this version is not installed.
};

/// Returns the program that matches a build folder's compiler, by `-print-prog-name` or from PATH.
compiler_program program_of_compiler(const std::filesystem::path& build_folder, std::string_view name);

/// Sets the compiler's llvm-symbolizer as the symbolizer of sanitizers, and enables UBSan's stacks.
/// Warns if the symbolizer is missing. Does nothing for presets without a sanitizer.
void name_symbolizer(system::invocation& start, const std::filesystem::path& build_folder, terminal::shell& shell);

}  // namespace apus::cli::work

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
    std::string path{};  ///< Empty: not installed in this version.
};

/// Returns the program that matches a build folder's compiler, by `-print-prog-name` or from PATH.
compiler_program program_of_compiler(const std::filesystem::path& build_folder, std::string_view name);

/// Sets the symbolizer of sanitizers to the compiler's own llvm-symbolizer, and enables stack
/// traces of UBSan. Warns if the symbolizer is missing. Does nothing without a sanitizer.
void name_symbolizer(system::invocation& start, const std::filesystem::path& build_folder, terminal::shell& shell);

}  // namespace apus::cli::work

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "cli/system/process.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// A program that has to be of the compiler's own version, since it reads what that wrote: llvm-profdata, llvm-cov,
/// llvm-symbolizer.
struct compiler_program {
    std::string name;    ///< "llvm-cov-19": with the compiler's version, as packages have it.
    std::string path{};  ///< Empty: it is not installed, or only in another version.
};

/// The program of the compiler that a folder was configured with: what that names itself (`-print-prog-name`), or one
/// in PATH.
compiler_program program_of_compiler(const std::filesystem::path& build_folder, std::string_view name);

/// Lets the sanitizers of a program that is to be started name functions and lines by the compiler's own
/// llvm-symbolizer, and those of undefined behaviour show how it was reached. Warns where that symbolizer is missing.
/// Does nothing without a sanitizer.
void name_symbolizer(system::invocation& start, const std::filesystem::path& build_folder, terminal::shell& shell);

}  // namespace apus::cli::work

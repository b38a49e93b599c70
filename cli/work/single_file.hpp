// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// What a source says of itself in comments `// apus: KEY = VALUE, VALUE` before its first line of code.
struct source_notes {
    std::vector<std::string> dependencies{};  ///< Names of pkg-config.
    std::vector<std::string> flags{};         ///< For the compiler.
};

/// Reads the notes of a source. Throws E0304 for another key.
source_notes read_notes(std::string_view source);

/// Compiles one source with Apus into a program, which is kept: the same content, headers of its folder, notes
/// and compiler give the same program, without a compiler being started. Returns its path.
std::filesystem::path program_of_source(const std::filesystem::path& source, bool release, terminal::shell& shell);

}  // namespace apus::cli::work

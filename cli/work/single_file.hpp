// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// Options in comments such as `// apus: KEY = VALUE, VALUE` before the first line of code.
struct source_notes {
    std::vector<std::string> dependencies{};  ///< pkg-config modules.
    std::vector<std::string> flags{};         ///< Compiler flags.
};

/// Parses the notes of a source. Throws E0304 for an unknown key.
source_notes read_notes(std::string_view source);

/// Compiles a single source with Apus, or finds the cached program.
/// Compiles again if the source, a header that it includes, an option or the SDK has changed. Returns the program's
/// path.
std::filesystem::path program_of_source(const std::filesystem::path& source, bool release, terminal::shell& shell);

}  // namespace apus::cli::work

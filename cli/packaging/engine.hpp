// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "cli/system/process.hpp"

namespace apus::cli::packaging {

/// Runs a packaging program in the C locale and returns its standard output.
/// Throws E0704 with the last lines of its output if the program fails, and E0104 if the disk is full.
std::string run_engine(system::invocation what);

/// Returns the SHA-256 of a file, in hexadecimal.
std::string sha256_of(const std::filesystem::path& file);

}  // namespace apus::cli::packaging

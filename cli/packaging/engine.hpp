// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "cli/system/process.hpp"

namespace apus::cli::packaging {

/// Runs a program that makes a part of a package, in the locale C, and gives what it writes to standard output.
/// Throws E0704 with its last words if it fails, E0104 if they say that the disk is full.
std::string run_engine(system::invocation what);

/// The SHA-256 of a file, in hexadecimal digits.
std::string sha256_of(const std::filesystem::path& file);

}  // namespace apus::cli::packaging

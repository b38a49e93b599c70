// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace apus::cli::work {

/// Starts a program on a Unix socket that only we know, asks it for a path, and stops it. Gives the body of the answer;
/// throws E0307 if the program does not start, or answers other than 200.
std::string ask_program(const std::filesystem::path& program, const std::filesystem::path& folder,
                        const std::string& path);

}  // namespace apus::cli::work

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace apus::cli::work {

/// Starts a program on a private Unix socket, requests a path, stops the program, returns the body.
/// Throws E0307 if the program does not start, or the status is not 200.
std::string request_from_program(const std::filesystem::path& program, const std::filesystem::path& folder,
                                 const std::string& path);

}  // namespace apus::cli::work

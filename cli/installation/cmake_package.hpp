// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace apus::cli::installation {

/// Returns the folder of an SDK's CMake package. Empty if the folder is not an SDK.
std::optional<std::filesystem::path> cmake_package(const std::filesystem::path& sdk);

/// Returns the components in an SDK's CMake package. Empty if the folder is not an SDK.
std::vector<std::string> components_of(const std::filesystem::path& sdk);

}  // namespace apus::cli::installation

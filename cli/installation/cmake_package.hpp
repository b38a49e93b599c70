// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace apus::cli::installation {

/// The folder of an SDK by which find_package(apus) finds it, and which says what is in it; none for a folder
/// that is no SDK.
std::optional<std::filesystem::path> cmake_package(const std::filesystem::path& sdk);

/// The components that programs may ask for, as the SDK's own files say; none for a folder that is no SDK.
std::vector<std::string> components_of(const std::filesystem::path& sdk);

}  // namespace apus::cli::installation

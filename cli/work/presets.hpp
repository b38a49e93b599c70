// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "cli/manifest/manifest.hpp"

namespace apus::cli::work {

/// How a command line says which preset of CMakePresets.json is meant.
struct preset_wish {
    bool release = false;
    std::optional<std::string_view> named{};
    std::optional<std::string_view> sanitizer{};  ///< "address" or "thread".
};

/// The preset that is meant: the named one, `release`, `asan` or `tsan`; otherwise `dev`.
std::string preset_for(const preset_wish& wish);

/// Where a preset is built.
std::filesystem::path build_folder(const manifest::manifest& project, std::string_view preset);

/// The folder in which Apus is installed: APUS_SDK, the version that the project pins, the one in use, or the
/// tool's own installation. Empty where CMake is to look by itself.
std::filesystem::path sdk_folder(const manifest::manifest& project);

}  // namespace apus::cli::work

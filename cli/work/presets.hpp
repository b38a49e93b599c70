// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "cli/manifest/manifest.hpp"

namespace apus::cli::work {

/// The preset options of a command line.
struct preset_wish {
    bool release = false;
    std::optional<std::string_view> named{};
    std::optional<std::string_view> sanitizer{};  ///< "address" or "thread".
};

/// Returns the selected preset: the named preset, `release`, `asan` or `tsan`; otherwise `dev`.
std::string preset_for(const preset_wish& wish);

std::filesystem::path build_folder(const manifest::manifest& project, std::string_view preset);

/// Returns the folder of the SDK; empty if no SDK is found, so that CMake searches.
/// Searches in this order: APUS_SDK, the pinned SDK, the default SDK, the tool's own installation. Throws E0507 if the
/// pinned SDK is not installed.
std::filesystem::path sdk_folder(const manifest::manifest& project);

}  // namespace apus::cli::work

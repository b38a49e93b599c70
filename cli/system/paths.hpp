// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace apus::cli::system {

/// Returns `~/.local/share/apus` (XDG base directory specification) or APUS_HOME: SDKs, registries.
std::filesystem::path data_folder();

/// Returns `~/.cache/apus`, or `cache` in APUS_HOME: files that can be created or fetched again.
std::filesystem::path cache_folder();

/// Returns the path of the running program, with symbolic links resolved.
std::filesystem::path own_program();

/// Returns `share/apus` of the running program's installation: templates and tables.
/// For a program in a build folder, returns the source folder.
std::filesystem::path shared_folder();

}  // namespace apus::cli::system

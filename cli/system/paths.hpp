// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace apus::cli::system {

/// `~/.local/share/apus` by the XDG base directory specification, or APUS_HOME: SDKs, registries.
std::filesystem::path data_folder();

/// `~/.cache/apus`, or `cache` in APUS_HOME: what can be made or fetched again.
std::filesystem::path cache_folder();

/// The running program's own file, symbolic links followed.
std::filesystem::path own_program();

/// `share/apus` of the installation that the running program belongs to: templates and tables. In a
/// build folder, the sources' own.
std::filesystem::path shared_folder();

}  // namespace apus::cli::system

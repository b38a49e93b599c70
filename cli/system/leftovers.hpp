// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace apus::cli::system {

/// Returns the name of a temporary file next to `path`: hidden, with the process id.
/// The creator of the file holds a lock on the file until the creator exits. The lock distinguishes leftovers of killed
/// processes from files in use, even if the processes run in different containers.
std::filesystem::path temporary_name(const std::filesystem::path& path);

/// Locks a file or folder until the returned descriptor is closed.
/// Returns -1 if the file is already locked, or if another process has removed it.
int hold(const std::filesystem::path& made) noexcept;

/// Removes temporary files that killed processes of this user left in a folder. Ignores errors.
void clear_leftovers(const std::filesystem::path& folder);

}  // namespace apus::cli::system

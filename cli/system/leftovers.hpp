// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace apus::cli::system {

/// Returns the name of a temporary file next to `path`: hidden, with the process id.
/// Its creator holds a lock on it until it exits. The lock distinguishes leftovers of killed processes from files in
/// use, across containers too.
std::filesystem::path temporary_name(const std::filesystem::path& path);

/// Locks a file or folder until the returned descriptor is closed.
/// Returns -1 if it is already locked, or has been removed as a leftover.
int hold(const std::filesystem::path& made) noexcept;

/// Removes temporary files that dead processes of this user have left in a folder. Ignores errors.
void clear_leftovers(const std::filesystem::path& folder);

}  // namespace apus::cli::system

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace apus::cli::system {

/// The name under which something is made before it takes the name `path`: beside it, hidden, and with the number
/// of this process. Who makes it holds a lock on it, which ends with the process: so what one that was killed has left
/// can be told from what another is making, on the other side of a container's wall too.
std::filesystem::path name_beside(const std::filesystem::path& path);

/// Locks a file or folder for as long as the descriptor that is returned is open; -1 if somebody else has it, or has
/// taken it for something left behind and removed it.
int hold(const std::filesystem::path& made) noexcept;

/// Removes from a folder what processes of this user have left there that are gone. What cannot be removed stays.
void clear_leftovers(const std::filesystem::path& folder);

}  // namespace apus::cli::system

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace apus::testing {

/// Creates a folder that only this user may enter, and returns its path.
/// The folder is in memory (/dev/shm) if that has `room` bytes available, otherwise on the disk. Throws
/// `std::system_error`.
std::string make_memory_folder(const char* name, std::uint64_t room);

}  // namespace apus::testing

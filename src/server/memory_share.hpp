// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace apus::server {

/// Bytes of memory that the process may use: the least of the machine's and of the limits of its cgroup
/// and those above it, of version 1 or 2. `root` stands before the paths of /proc and /sys, for tests.
std::uint64_t available_memory(const std::string& root = {});

/// Of them, what `limits::memory` is by default.
inline std::uint64_t default_memory() { return available_memory() / 2; }

/// Has the C library map blocks that are large for a budget of so many bytes on their own, so that they go back to the
/// system when they are freed. By itself it raises that size to that of the largest block freed so far, and the holes
/// between large blocks then exceed the budget. Does nothing where the environment sets the library's tunables.
void keep_large_blocks_apart(std::uint64_t budget) noexcept;

}  // namespace apus::server

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace apus::server {

/// Returns the available memory in bytes: the least of physical memory and cgroup limits.
/// Includes limits of parent groups, of cgroup versions 1 and 2. `root` is a prefix for paths of /proc and /sys, for
/// tests.
std::uint64_t available_memory(const std::string& root = {});

/// Returns the default of `limits::memory`.
inline std::uint64_t default_memory() { return available_memory() / 2; }

/// Makes malloc return large blocks to the system when they are freed.
/// By default, glibc raises its mmap threshold to the largest freed block, and the resulting fragmentation would exceed
/// the budget. Does nothing if the environment sets glibc tunables.
void limit_heap_fragmentation(std::uint64_t budget) noexcept;

}  // namespace apus::server

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace apus::profiling {

/// Memory that was allocated at one place, as estimated from samples.
struct heap_site {
    std::vector<std::uintptr_t> stack;                ///< Innermost function first.
    std::int64_t allocated = 0, allocated_bytes = 0;  ///< Since the process started.
    std::int64_t live = 0, live_bytes = 0;            ///< Not deleted yet.
};

inline constexpr std::int64_t heap_period = 512 * 1024;  ///< Mean number of bytes between two samples.

/// Returns all places with sampled allocations.
/// Copies a few places at a time, so that other threads may allocate meanwhile.
/// Empty if the program does not contain APUS_PROFILE_HEAP.
std::optional<std::vector<heap_site>> heap_sites();

}  // namespace apus::profiling

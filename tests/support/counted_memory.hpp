// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/skipped.hpp"

#include <cstdint>

namespace apus::support {

/// Whether allocations are counted.
/// False with sanitizers, which replace operator new. With AddressSanitizer, each coroutine frame is a separate
/// allocation, so that uses after its end are detected.
#ifdef APUS_SANITIZED
constexpr bool allocations_are_counted = false;
#else
constexpr bool allocations_are_counted = true;
#endif

/// Reason for skipping a case that counts allocations.
constexpr const char* not_counted = "allocations are not counted with sanitizers";

/// Returns how often this thread has called operator new; meaningless if allocations are not
/// counted.
std::uint64_t allocations() noexcept;

}  // namespace apus::support

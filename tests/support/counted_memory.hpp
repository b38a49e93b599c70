// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/skipped.hpp"

#include <cstdint>

namespace apus::support {

/// Not with sanitizers: they bring an operator new of their own, and with AddressSanitizer each
/// coroutine frame is an allocation, so that a use after its end is found.
#ifdef APUS_SANITIZED
constexpr bool allocations_are_counted = false;
#else
constexpr bool allocations_are_counted = true;
#endif

/// What to skip a case with that needs them.
constexpr const char* not_counted = "allocations are not counted with sanitizers";

/// How often this thread has called operator new, if it is counted.
std::uint64_t allocations() noexcept;

}  // namespace apus::support

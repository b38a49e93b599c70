// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace apus::support {

/// How often this thread has called operator new. Not counted with sanitizers (APUS_SANITIZED): they
/// bring an operator new of their own, and with AddressSanitizer each coroutine frame is an
/// allocation, so that a use after its end is found.
std::uint64_t allocations() noexcept;

}  // namespace apus::support

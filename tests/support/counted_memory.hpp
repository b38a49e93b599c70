// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace apus::support {

/// How often this thread has called operator new.
std::uint64_t allocations() noexcept;

/// Whether coroutine frames come from a pool. Under AddressSanitizer each is an allocation, so that
/// a use after its end is found.
constexpr bool frames_are_pooled() noexcept {
#if defined(__SANITIZE_ADDRESS__)
    return false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
    return false;
#else
    return true;
#endif
#else
    return true;
#endif
}

}  // namespace apus::support

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace apus::runtime {

/// A number of cycles that takes at most a millisecond; 0 if `cycles` has no counter.
/// Assumes that the time stamp counter of an x86-64 processor has a constant frequency of at least 1 GHz.
#ifdef __x86_64__
constexpr std::uint64_t cycles_of_a_millisecond = 1'000'000;
#else
constexpr std::uint64_t cycles_of_a_millisecond = 0;
#endif

/// Returns a counter of this processor, for estimates: another processor's counter may differ.
inline std::uint64_t cycles() noexcept {
#ifdef __x86_64__
    return __builtin_ia32_rdtsc();
#else
    return 0;
#endif
}

}  // namespace apus::runtime

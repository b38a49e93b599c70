// SPDX-License-Identifier: Apache-2.0
#pragma once

// Heap profiles: `/debug/pprof/heap` of the administration (docs/profiling.md).

#include <cstddef>
#include <new>

namespace apus::detail {

/// Allocates for `operator new`. Throws `std::bad_alloc`.
void* profiled_new(std::size_t size, std::size_t alignment);
void profiled_delete(void*) noexcept;

}  // namespace apus::detail

#if defined(__has_feature)
#define APUS_DETAIL_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define APUS_DETAIL_SANITIZED 1
#else
#define APUS_DETAIL_SANITIZED 0
#endif

/// Samples the allocations of this program, for heap profiles.
/// Write it once, outside of all namespaces: it replaces `operator new` and `operator delete`. Has no effect in builds
/// with sanitizers, which have their own.
#if APUS_DETAIL_SANITIZED
#define APUS_PROFILE_HEAP() static_assert(true)
#else
// NOLINTBEGIN(bugprone-macro-parentheses): these are definitions
#define APUS_PROFILE_HEAP()                                                                                  \
    void* operator new(std::size_t size) { return apus::detail::profiled_new(size, 0); }                     \
    void* operator new(std::size_t size, std::align_val_t alignment) {                                       \
        return apus::detail::profiled_new(size, static_cast<std::size_t>(alignment));                        \
    }                                                                                                        \
    void operator delete(void* memory) noexcept { apus::detail::profiled_delete(memory); }                   \
    void operator delete(void* memory, std::size_t) noexcept { apus::detail::profiled_delete(memory); }      \
    void operator delete(void* memory, std::align_val_t) noexcept { apus::detail::profiled_delete(memory); } \
    void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {                             \
        apus::detail::profiled_delete(memory);                                                               \
    }                                                                                                        \
    static_assert(true)
// NOLINTEND(bugprone-macro-parentheses)
#endif

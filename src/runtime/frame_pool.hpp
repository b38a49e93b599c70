// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/task.hpp>

#include <cstddef>

// Allocation of coroutine frames: `apus::detail::frame_allocate` and `frame_free`, declared in <apus/task.hpp>. Each
// thread keeps freed frames in free lists by size class. Reuse takes a few instructions, without atomic operations.

namespace apus::runtime {

constexpr std::size_t frame_step = 64;           ///< Sizes are rounded up to a multiple of this, in bytes.
constexpr std::size_t frame_largest = 4096;      ///< Larger frames are not kept.
constexpr std::size_t frame_kept = 1024 * 1024;  ///< Maximum bytes of free frames kept by one thread.

/// Bytes of free frames kept by this thread.
/// Always 0 under AddressSanitizer: frames are then freed at once, so that the sanitizer detects use after free.
std::size_t frames_kept() noexcept;

/// Allocator of single objects that live as briefly as frames.
template <class T>
struct frame_allocator {
    using value_type = T;

    frame_allocator() = default;
    template <class U>
    explicit frame_allocator(const frame_allocator<U>&) noexcept {}

    T* allocate(std::size_t count) { return static_cast<T*>(detail::frame_allocate(count * sizeof(T))); }
    void deallocate(T* at, std::size_t count) noexcept { detail::frame_free(at, count * sizeof(T)); }
    friend bool operator==(const frame_allocator&, const frame_allocator&) = default;
};

}  // namespace apus::runtime

// SPDX-License-Identifier: Apache-2.0
#pragma once

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

}  // namespace apus::runtime

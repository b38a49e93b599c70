// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// Where coroutine frames come from: `apus::detail::frame_allocate` and `frame_free`, declared in
// <apus/task.hpp>. A frame of a size that this thread has freed before is taken from a list, in a
// few instructions and without an atomic one.

namespace apus::runtime {

constexpr std::size_t frame_step = 64;           ///< Sizes are rounded up to a multiple of this, in bytes.
constexpr std::size_t frame_largest = 4096;      ///< Frames over this many bytes are not kept.
constexpr std::size_t frame_kept = 1024 * 1024;  ///< Bytes of free frames that one thread keeps at most.

/// Bytes of free frames that this thread keeps now. Always 0 under AddressSanitizer, where every
/// frame goes back at once so that its use after the end is found.
std::size_t frames_kept() noexcept;

}  // namespace apus::runtime

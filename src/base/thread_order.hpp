// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tells ThreadSanitizer that a write in one thread happens before a read in another thread. ThreadSanitizer cannot
// detect this in a library that was compiled without instrumentation. The functions are null in programs that are not
// linked with the runtime library of ThreadSanitizer.

namespace apus::base {

extern "C" {
void sanitizer_acquire(const void* at) __asm__("__tsan_acquire") __attribute__((weak));
void sanitizer_release(const void* at) __asm__("__tsan_release") __attribute__((weak));
}

/// Returns true if the program is built with ThreadSanitizer.
inline bool has_thread_sanitizer() noexcept { return sanitizer_acquire; }

/// Call before the atomic operation that publishes this thread's writes to readers of `at`.
inline void mark_release(const void* at) noexcept {
    if (sanitizer_release) sanitizer_release(at);
}

/// Call after the atomic operation that acquires writes released at `at`.
inline void mark_acquire(const void* at) noexcept {
    if (sanitizer_acquire) sanitizer_acquire(at);
}

}  // namespace apus::base

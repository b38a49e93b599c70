// SPDX-License-Identifier: Apache-2.0
#pragma once

// What ThreadSanitizer cannot see in a library that was compiled without it: that one thread wrote something before
// another reads it. A program that is linked with its run time has these functions, and any other has null in their
// place.

namespace apus::base {

extern "C" {
void sanitizer_acquire(void* at) __asm__("__tsan_acquire") __attribute__((weak));
void sanitizer_release(void* at) __asm__("__tsan_release") __attribute__((weak));
}

/// Before the atomic operation that makes what this thread has written visible to those that look at `at`.
inline void tell_sanitizer_of_release(void* at) noexcept {
    if (sanitizer_release) sanitizer_release(at);
}

/// After the atomic operation by which this thread sees what others have written before they released `at`.
inline void tell_sanitizer_of_acquire(void* at) noexcept {
    if (sanitizer_acquire) sanitizer_acquire(at);
}

}  // namespace apus::base

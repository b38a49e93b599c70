// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// recv and send of libc are cancellation points. In programs with threads, a cancellation point costs more than a route
// lookup. Apus never cancels threads, so it makes the system calls directly.

namespace apus::runtime {

/// Like recv(2) without flags.
inline ssize_t receive_from(int fd, void* into, std::size_t size) noexcept {
    return syscall(SYS_recvfrom, fd, into, size, 0, nullptr, nullptr);
}

/// Like send(2).
inline ssize_t send_to(int fd, const void* bytes, std::size_t size, int flags) noexcept {
    return syscall(SYS_sendto, fd, bytes, size, flags, nullptr, 0);
}

}  // namespace apus::runtime

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// recv and send of libc are points of thread cancellation, and in a program of several threads that
// costs each call more than finding a route does. No thread of ours is ever cancelled.

namespace apus::runtime {

/// As `recv` without flags.
inline ssize_t receive_from(int fd, void* into, std::size_t size) noexcept {
    return syscall(SYS_recvfrom, fd, into, size, 0, nullptr, nullptr);
}

/// As `send`.
inline ssize_t send_to(int fd, const void* bytes, std::size_t size, int flags) noexcept {
    return syscall(SYS_sendto, fd, bytes, size, flags, nullptr, 0);
}

}  // namespace apus::runtime

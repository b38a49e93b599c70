// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// libc's recv and send are cancellation points, which in programs with threads cost more than a route lookup. Our
// threads are never cancelled, so the system calls are made directly.

namespace apus::runtime {

/// Same as `recv` without flags.
inline ssize_t receive_from(int fd, void* into, std::size_t size) noexcept {
    return syscall(SYS_recvfrom, fd, into, size, 0, nullptr, nullptr);
}

/// Same as `send`.
inline ssize_t send_to(int fd, const void* bytes, std::size_t size, int flags) noexcept {
    return syscall(SYS_sendto, fd, bytes, size, flags, nullptr, 0);
}

}  // namespace apus::runtime

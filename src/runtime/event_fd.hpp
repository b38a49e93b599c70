// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/thread_order.hpp"

#include <cerrno>
#include <cstdint>
#include <system_error>

#include <sys/eventfd.h>
#include <unistd.h>

namespace apus::runtime {

/// Wakes a loop from any thread.
/// Ownership is shared, because the loop may process a message and end before the sender calls `signal`.
class event_fd {
public:
    event_fd() : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
        if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
    }
    event_fd(const event_fd&) = delete;
    event_fd& operator=(const event_fd&) = delete;
    ~event_fd() {
        base::mark_acquire(this);
        close(fd_);
    }

    void signal() const noexcept {
        std::uint64_t one = 1;
        [[maybe_unused]] auto n = write(fd_, &one, sizeof one);
        base::mark_release(this);  // the last owner may be another thread, which closes the descriptor
    }
    void clear() const noexcept {
        std::uint64_t count;
        [[maybe_unused]] auto n = read(fd_, &count, sizeof count);
        base::mark_release(this);
    }
    int fd() const noexcept { return fd_; }

private:
    int fd_;
};

}  // namespace apus::runtime

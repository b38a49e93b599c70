// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstdint>
#include <system_error>

#include <sys/eventfd.h>
#include <unistd.h>

namespace apus::runtime {

/// Wakes a loop from any thread.
/// Has shared ownership: the loop may process a message and end before its sender rings.
class bell {
public:
    bell() : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
        if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
    }
    bell(const bell&) = delete;
    bell& operator=(const bell&) = delete;
    ~bell() { close(fd_); }

    void ring() const noexcept {
        std::uint64_t one = 1;
        [[maybe_unused]] auto n = write(fd_, &one, sizeof one);
    }
    void silence() const noexcept {
        std::uint64_t count;
        [[maybe_unused]] auto n = read(fd_, &count, sizeof count);
    }
    int fd() const noexcept { return fd_; }

private:
    int fd_;
};

}  // namespace apus::runtime

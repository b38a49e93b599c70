// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <unistd.h>

namespace apus::runtime {

/// An open file, shared by those who send it: closed when the last of them is done.
class file {
public:
    explicit file(int fd) noexcept : fd_(fd) {}
    file(const file&) = delete;
    file& operator=(const file&) = delete;
    ~file() { ::close(fd_); }
    int fd() const noexcept { return fd_; }

    /// Fills `to` with what stands from `at` on, and gives how much that is: less where the file ends
    /// or cannot be read. Waits for the disk if the kernel does not have it in memory.
    std::size_t read(std::uint64_t at, std::span<char> to) const noexcept;

private:
    int fd_;
};

using file_ref = std::shared_ptr<const file>;

}  // namespace apus::runtime
